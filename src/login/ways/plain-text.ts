/** Text that is not empty and holds no control characters and nothing that is not Unicode or that XML cannot carry. */
export const plainText = /^[^\p{Cc}\p{Cs}\ufffe\uffff]+$/u
