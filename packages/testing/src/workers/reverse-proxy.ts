import { createServer, request } from "node:http";
import { present } from "../require-present.ts";

/**
 * A reverse proxy as a separate process: `--forward` adds the headers that a well-configured one adds. Without it the
 * request is passed on unchanged, Host included.
 */
const target = new URL(process.argv[2]);
const forwards = process.argv.includes("--forward");
const proxy = createServer((asked, answer) => {
  const said = forwards
    ? { "x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https", "x-forwarded-host": asked.headers.host }
    : {};
  const handed = request(
    { host: target.hostname, port: target.port, method: asked.method, path: asked.url },
    (answered) => {
      answer.writeHead(present(answered.statusCode, "statusCode"), answered.headers);
      answered.pipe(answer);
    },
  );
  for (const [name, value] of Object.entries({ ...asked.headers, ...said })) if (value) handed.setHeader(name, value);
  handed.once("error", () => answer.destroy());
  asked.pipe(handed);
});
proxy.listen(0, "127.0.0.1", () => {
  process.stdout.write(`${(proxy.address() as { port: number }).port}\n`);
});
