import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "@arcada/testing/setup/product-process";
import { peerEnvironment } from "../lib/peer-environment.ts";

const program = "/usr/sbin/Orthanc";
const plugin = "/usr/share/orthanc/plugins/libOrthancDicomWeb.so";
const nginxProgram = "/usr/sbin/nginx";

export interface Archive {
  base: string;
  dicomPort: number;
  pid: number;
  stop(): Promise<void>;
}

/**
 * Starts Orthanc as Debian packages it, with default settings except for addresses; null if it is not installed. Its
 * sockets wait for delayed acknowledgements; `ARCADA_BENCH_ORTHANC_PRELOAD` names a library that is loaded into it, such as
 * one that sets TCP_NODELAY.
 */
export async function startOrthanc(): Promise<Archive | null> {
  if (!existsSync(program) || !existsSync(plugin)) return null;
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-orthanc-"));
  const [port, dicomPort] = [await freePort(), await freePort()];
  const settings = {
    Name: "bench",
    StorageDirectory: path.join(folder, "storage"),
    IndexDirectory: path.join(folder, "index"),
    TemporaryDirectory: path.join(folder, "tmp"),
    Plugins: [plugin],
    HttpPort: port,
    DicomPort: dicomPort,
    DicomAet: "ORTHANC",
    RemoteAccessAllowed: false,
    AuthenticationEnabled: false,
    HttpBindAddresses: ["127.0.0.1"],
    DicomAlwaysAllowStore: true,
    DicomWeb: { Enable: true, Root: "/dicom-web/" },
  };
  for (const name of ["storage", "index", "tmp"]) mkdirSync(path.join(folder, name));
  const file = path.join(folder, "orthanc.json");
  writeFileSync(file, JSON.stringify(settings));
  const { ARCADA_BENCH_ORTHANC_PRELOAD: preload } = process.env;
  const env = { ...peerEnvironment(), ...(preload !== undefined && { LD_PRELOAD: preload }) };
  const child = spawn(program, [file], { stdio: "ignore", env });
  const base = `http://127.0.0.1:${port}/dicom-web`;
  await waitUntilReady(`${base}/studies?limit=1`, child);
  return { base, dicomPort, pid: child.pid!, stop: () => stopProcess(child, folder) };
}

/**
 * Serves the files of this folder under their own paths, as fast as a server can send them; null if nginx is not
 * installed.
 */
export async function startNginx(files: string): Promise<Omit<Archive, "dicomPort"> | null> {
  if (!existsSync(nginxProgram)) return null;
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-nginx-"));
  const port = await freePort();
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const file = path.join(folder, "nginx.conf");
  writeFileSync(
    file,
    `daemon off; worker_processes 2; pid ${folder}/pid; error_log ${folder}/error.log; ${process.getuid?.() === 0 ? "user root;" : ""}
events { worker_connections 512; }
http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; default_type application/octet-stream;
  ${temporary.join(" ")} server { listen 127.0.0.1:${port}; root ${files}; } }`,
  );
  const child = spawn(nginxProgram, ["-c", file], { stdio: "ignore", env: peerEnvironment() });
  const base = `http://127.0.0.1:${port}`;
  await waitUntilReady(`${base}/`, child);
  return { base, pid: child.pid!, stop: () => stopProcess(child, folder) };
}

async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  for (let round = 0; round < 200; round++) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with ${child.exitCode}`);
    if (await fetch(url).catch(() => null)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${child.spawnfile} does not answer`);
}

async function stopProcess(child: ChildProcess, folder: string): Promise<void> {
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGTERM");
  await exited;
  rmSync(folder, { recursive: true, force: true });
}
