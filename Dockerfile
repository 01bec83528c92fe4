FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY rolldown.config.ts ./
COPY src src
RUN npm run build

FROM node:24-bookworm-slim
WORKDIR /app
ENV HOST=0.0.0.0 PORT=8080
COPY --from=build /app/package.json ./
COPY --from=build /app/dist dist
# All that the program does not hold itself. The image is for a PostgreSQL beside it: the embedded one stays out.
COPY --from=build /app/node_modules/@node-rs node_modules/@node-rs
COPY migrations migrations
COPY examples examples
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
