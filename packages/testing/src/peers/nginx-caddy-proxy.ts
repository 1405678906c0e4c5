import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { tlsCertificate } from "./tls-certificate.ts";

const examples = path.join(import.meta.dirname, "../../../../deploy/proxy");

export type ProxyProgram = "nginx" | "caddy";

/** False: the program is not installed on this machine, so a test with it must say that it is skipped. */
export const isProxyInstalled = (program: ProxyProgram): boolean =>
  spawnSync(program, [program === "nginx" ? "-v" : "version"], { stdio: "ignore" }).status === 0;

export interface ProxyServer {
  /** Begins a request; the caller writes its body and ends it. */
  open: (method: string, path: string, headers?: Record<string, string>) => OpenRequest;
  stop: () => Promise<void>;
}
export interface OpenRequest {
  request: ClientRequest;
  answer: Promise<IncomingMessage>;
}

/**
 * Runs the documented example of a proxy on a port of this machine, with a test certificate, in front of a server. Only
 * addresses, names and the certificate are replaced.
 * @param ports `https` is the proxy's own port, `server` that of the server
 */
export async function startProxy(
  program: ProxyProgram,
  ports: { http: number; https: number; server: number },
): Promise<ProxyServer> {
  const folder = mkdtempSync(path.join(tmpdir(), `arcada-${program}-`));
  for (const part of ["cert", "key"] as const) writeFileSync(path.join(folder, `${part}.pem`), tlsCertificate[part]);
  const words = program === "nginx" ? prepareNginx(folder, ports) : prepareCaddy(folder, ports);
  const child = spawn(program, words, { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, HOME: folder } });
  let log = "";
  child.stderr.on("data", (chunk: Buffer) => void (log += chunk.toString()));
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const open = (method: string, at: string, headers: Record<string, string> = {}): OpenRequest => {
    const options = { host: "127.0.0.1", servername: "localhost", port: ports.https, ca: tlsCertificate.cert };
    const host = `localhost:${ports.https}`;
    const begun = request({ ...options, method, path: at, headers: { host, ...headers } });
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      begun.once("response", resolve).once("error", reject);
    });
    // A test that has no interest in the answer must not end by its error.
    answer.catch(() => {});
    return { request: begun, answer };
  };
  const stop = async () => {
    child.kill("SIGTERM");
    const kill = setTimeout(() => child.kill("SIGKILL"), 5000);
    await ended;
    clearTimeout(kill);
    rmSync(folder, { recursive: true, force: true });
  };
  for (let attempts = 0; child.exitCode === null && attempts < 100; attempts++) {
    const probe = open("GET", "/livez");
    probe.request.end();
    const status = await probe.answer.then(
      (answer) => answer.resume().statusCode,
      () => null,
    );
    if (status === 200) return { open, stop };
    await delay(100);
  }
  await stop();
  throw new Error(`${program} does not answer: ${log.slice(-2000)}`);
}

const readExample = (name: string): string => readFileSync(path.join(examples, name), "utf8");

function prepareNginx(
  folder: string,
  { http, https, server }: { http: number; https: number; server: number },
): string[] {
  const site = readExample("nginx.conf")
    .replaceAll(/^ *listen \[::\].*\n/gm, "")
    .replace("listen 80;", `listen 127.0.0.1:${http};`)
    .replace("listen 443 ssl", `listen 127.0.0.1:${https} ssl`)
    .replaceAll("arcada.clinic.example", "localhost")
    .replaceAll("/etc/ssl/arcada/fullchain.pem", `${folder}/cert.pem`)
    .replaceAll("/etc/ssl/arcada/privkey.pem", `${folder}/key.pem`)
    .replace("127.0.0.1:8080", `127.0.0.1:${server}`);
  writeFileSync(path.join(folder, "site.conf"), site);
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `  ${name}_temp_path ${folder}/${name};\n`,
  );
  const main = [
    process.getuid?.() === 0 ? "user root;\n" : "",
    `daemon off;\npid ${folder}/pid;\nerror_log stderr warn;\nevents {}\n`,
    `http {\n  access_log off;\n${places.join("")}  include ${folder}/site.conf;\n}\n`,
  ];
  writeFileSync(path.join(folder, "nginx.conf"), main.join(""));
  return ["-p", folder, "-e", "stderr", "-c", path.join(folder, "nginx.conf")];
}

function prepareCaddy(
  folder: string,
  { http, https, server }: { http: number; https: number; server: number },
): string[] {
  const site = readExample("Caddyfile")
    .replace("arcada.clinic.example {", `https://localhost:${https} {\n\ttls ${folder}/cert.pem ${folder}/key.pem`)
    .replace("127.0.0.1:8080", `127.0.0.1:${server}`);
  const file = path.join(folder, "Caddyfile");
  const options = `\tadmin off\n\tauto_https disable_redirects\n\thttp_port ${http}\n`;
  writeFileSync(file, site.replace(/^\{\n/m, `{\n${options}`));
  return ["run", "--config", file, "--adapter", "caddyfile"];
}

/** Reads an answer to its end. */
export async function readAnswer(
  answer: IncomingMessage,
): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
  let text = "";
  for await (const chunk of answer) text += String(chunk);
  return { status: answer.statusCode ?? 0, headers: answer.headers, text };
}
