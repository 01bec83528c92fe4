/** The one style sheet of the page. Its hash is in the page's policy. */
export const style = `
:root { color-scheme: light dark; --line: #8886; --mark: #8882; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1, h2, h3, h4 { line-height: 1.25; }
nav h2 { font-size: 1rem; margin: 1rem 0 0; }
nav ul { margin: 0; padding-left: 1.25rem; }
main { border-top: 1px solid var(--line); }
article { border-top: 1px solid var(--line); padding: 0.5rem 0 1rem; }
article h4 { margin: 1rem 0 0; }
code { font: 0.9em ui-monospace, monospace; background: var(--mark); padding: 0 0.2em; }
pre { overflow-x: auto; background: var(--mark); padding: 0.75rem; overflow-wrap: normal; }
pre code { background: none; padding: 0; }
dl { margin: 0.25rem 0; }
dt { margin-top: 0.5rem; }
dd { margin-left: 1rem; }
dd p { margin: 0; }
strong { border: 1px solid; border-radius: 0.25rem; font-size: 0.8rem; padding: 0 0.25rem; }
:focus-visible { outline: 3px solid; outline-offset: 2px; }
:target { background: var(--mark); }
.skip { position: absolute; left: -999rem; }
.skip:focus { position: static; }
`
