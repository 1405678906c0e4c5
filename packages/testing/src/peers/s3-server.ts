import { execFile, spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import type { S3Settings } from "../../../../apps/server/src/platform/storage/s3-bucket.ts";

export interface S3Server {
  settings: S3Settings;
  stop(): Promise<void>;
}

const run = promisify(execFile);
const servers = ["account", "container", "object"] as const;
const packages = ["swift-proxy", "swift-account", "swift-container", "swift-object"];

/**
 * A real S3 server for tests: OpenStack Swift with its S3 API, from Debian's packages, as four processes on free ports
 * of this machine. With S3_TEST_ENDPOINT, S3_TEST_KEY and S3_TEST_SECRET that server is used instead. Answers why not
 * where none is to be had.
 */
export async function startS3Server(): Promise<S3Server | { skipped: string }> {
  const { S3_TEST_ENDPOINT: endpoint, S3_TEST_KEY: accessKey = "", S3_TEST_SECRET: secretKey = "" } = process.env;
  if (endpoint) return withBucket({ endpoint, accessKey, secretKey }, async () => {});
  const missing = await install();
  if (missing) return { skipped: missing };
  return startSwift();
}

const installed = (): boolean =>
  ["proxy", ...servers].every((name) => spawnSync("which", [`swift-${name}-server`]).status === 0);

/** Installs Swift once where that may be done; answers why it is not there. */
async function install(): Promise<string | null> {
  if (installed()) return null;
  if (process.getuid?.() !== 0) return "OpenStack Swift is not installed, and only root could install it";
  if (spawnSync("which", ["apt-get"]).status !== 0) return "OpenStack Swift is not installed, and there is no apt-get";
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (...words: string[]) =>
    run("apt-get", ["-qq", "-o", "DPkg::Lock::Timeout=120", ...words], {
      env,
      timeout: 300_000,
      maxBuffer: 64 * 1024 * 1024,
    });
  try {
    await apt("update");
    await apt("install", "-y", "--no-install-recommends", ...packages);
  } catch (error) {
    return `OpenStack Swift could not be installed: ${String((error as { stderr?: string }).stderr ?? error)
      .trim()
      .split("\n")
      .at(-1)}`;
  }
  return installed() ? null : "OpenStack Swift was installed, but its servers are not found";
}

async function startSwift(): Promise<S3Server> {
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-s3-"));
  const conf = path.join(folder, "conf");
  for (const sub of ["conf", "devices/disk", "log", "cache"]) mkdirSync(path.join(folder, sub), { recursive: true });
  writeFileSync(
    path.join(conf, "swift.conf"),
    "[swift-hash]\nswift_hash_path_prefix = before\nswift_hash_path_suffix = after\n\n[storage-policy:0]\nname = only\ndefault = yes\n",
  );
  const [proxyPort, ...ports] = (await freePorts(4)) as [number, number, number, number];
  await Promise.all(servers.map((name, at) => makeRing(conf, name, ports[at])));
  servers.forEach((name, at) => writeFileSync(path.join(conf, `${name}.conf`), storageConf(name, ports[at], folder)));
  writeFileSync(path.join(conf, "proxy.conf"), proxyConf(proxyPort, conf));
  const children = [...servers, "proxy"].map((name) => launch(name, folder));
  const stop = async () => {
    await Promise.all(children.map(stopProcess));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const endpoint = `http://127.0.0.1:${proxyPort}`;
    await waitUntilReady(endpoint, children, folder);
    return await withBucket({ endpoint, accessKey: "test:tester", secretKey: "testing" }, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function makeRing(conf: string, name: string, port: number): Promise<void> {
  const builder = (...words: string[]) => run("swift-ring-builder", [`${name}.builder`, ...words], { cwd: conf });
  await builder("create", "4", "1", "1");
  await builder("add", `r1z1-127.0.0.1:${port}/disk`, "1");
  await builder("rebalance");
}

const common = (port: number, conf: string) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
swift_dir = ${conf}
user = ${process.env.USER || "root"}
workers = 0
log_level = WARNING
log_statsd_host =
`;
// A store of unfinished uploads must list what it has acknowledged: Swift waits for the list only so many seconds.
const storageConf = (
  name: string,
  port: number,
  folder: string,
) => `${common(port, path.join(folder, "conf"))}devices = ${path.join(folder, "devices")}
mount_check = false
container_update_timeout = 50
recon_cache_path = ${path.join(folder, "cache")}
[pipeline:main]
pipeline = ${name}-server
[app:${name}-server]
use = egg:swift#${name}
${["replicator", "auditor", "updater", "reaper"].map((part) => `[${name}-${part}]`).join("\n")}
`;

// The order that Swift's manual asks for around s3api. Its cache wants a memcached; without one it goes without caching.
const filters = [
  "catch_errors",
  "cache",
  "listing_formats",
  "bulk",
  "s3api",
  "tempauth",
  "copy",
  "slo",
  "dlo",
  "versioned_writes",
  "symlink",
];
const filterSettings: Record<string, string> = {
  cache: "memcache_servers = 127.0.0.1:1\nconn_timeout = 0.05",
  s3api: "location = us-east-1\ns3_acl = false",
  tempauth: "user_test_tester = testing .admin .reseller_admin",
  versioned_writes: "allow_object_versioning = true",
};
const proxyConf = (port: number, conf: string) => `${common(port, conf)}[pipeline:main]
pipeline = ${filters.join(" ")} proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
${filters.map((name) => `[filter:${name}]\nuse = egg:swift#${name === "cache" ? "memcache" : name}\n${filterSettings[name] ?? ""}`).join("\n")}
`;

function launch(name: string, folder: string): ChildProcess {
  const log = openSync(path.join(folder, "log", `${name}.log`), "a");
  const conf = path.join(folder, "conf");
  return spawn(`swift-${name}-server`, [path.join(conf, `${name}.conf`)], {
    env: { ...process.env, SWIFT_DIR: conf },
    stdio: ["ignore", log, log],
  });
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), 3000);
  await ended;
  clearTimeout(late);
}

async function waitUntilReady(endpoint: string, children: ChildProcess[], folder: string): Promise<void> {
  for (const until = Date.now() + 200_000; Date.now() < until; await sleep(200)) {
    if (children.some((child) => child.exitCode !== null)) break;
    if (
      await fetch(`${endpoint}/info`).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return;
  }
  const last = [...servers, "proxy"].map(
    (name) =>
      `${name}: ${readFileSync(path.join(folder, "log", `${name}.log`), "utf8")
        .trim()
        .split("\n")
        .slice(-3)
        .join(" | ")}`,
  );
  throw new Error(`Swift did not start. ${last.join("; ")}`);
}

async function withBucket(
  given: Pick<S3Settings, "endpoint" | "accessKey" | "secretKey">,
  stop: () => Promise<void>,
): Promise<S3Server> {
  const settings: S3Settings = { ...given, region: "us-east-1", bucket: `arcada-test-${process.pid}-${Date.now()}` };
  const client = new S3Client({
    ...settings,
    forcePathStyle: true,
    credentials: { accessKeyId: settings.accessKey, secretAccessKey: settings.secretKey },
  });
  for (let left = 20; ; left--) {
    try {
      await client.send(new CreateBucketCommand({ Bucket: settings.bucket }));
      return { settings, stop };
    } catch (error) {
      // The proxy answers before the servers behind it do.
      if (left === 0) throw error;
      await sleep(500);
    }
  }
}

async function freePorts(count: number): Promise<number[]> {
  const held = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return server;
    }),
  );
  const ports = held.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
