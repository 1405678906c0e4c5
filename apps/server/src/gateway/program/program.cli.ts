import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { Installation } from "./installation.ts";
import {
  planInstallation,
  planRemoval,
  statusCommand,
  type ServicePlan,
  type ServicePlatform,
} from "./service-definitions.ts";
import { Supervisor } from "./supervisor.ts";

// The program of an installed gateway: it runs the present version, and sets itself up as a service.
const usage = `Usage:
  arcada-gateway run                 runs the gateway, or the lab agent, with the settings in gateway.env
  arcada-gateway install [--user NAME] [--dry-run]    sets up a service that starts with the machine
  arcada-gateway uninstall [--dry-run]                removes the service; the folder stays
  arcada-gateway status              the version, and the state of the service
--platform linux | darwin | win32 shows with --dry-run what is done on another system.`;

const options = {
  "dry-run": { type: "boolean", default: false },
  user: { type: "string" },
  platform: { type: "string" },
} as const;

const trialMs = 60_000;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

try {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const installation = new Installation(import.meta.dirname);
  const verbs: Record<string, () => void | Promise<void>> = {
    run: () => run(installation),
    install: () => install(installation, values),
    uninstall: () => uninstall(values),
    status: () => showStatus(installation, values),
  };
  const verb = verbs[positionals[0] ?? "run"];
  if (!verb) throw new Error(usage);
  await verb();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

async function run(installation: Installation): Promise<void> {
  const supervisor = new Supervisor(installation, { trialMs, log: (line) => print(`Arcada gateway: ${line}`) });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => supervisor.stop());
  await supervisor.run();
}

type Given = ReturnType<typeof parseArgs<{ options: typeof options }>>["values"];

function readPlatform(given: Given): ServicePlatform {
  const platform = given["dry-run"] ? (given.platform ?? process.platform) : process.platform;
  if (platform === "linux" || platform === "darwin" || platform === "win32") return platform;
  throw new Error(`There is no service for ${platform}: start "arcada-gateway run" by the means of your system.`);
}

function install(installation: Installation, given: Given): void {
  const platform = readPlatform(given);
  const { root } = installation;
  const settings = installation.readSettings();
  const writable = [settings.GATEWAY_DIR, settings.GATEWAY_LAB_FOLDER].flatMap((folder) =>
    folder ? [path.resolve(root, folder)] : [],
  );
  const plan = planInstallation(platform, {
    root,
    runtime: installation.at(platform === "win32" ? "node.exe" : "node"),
    script: installation.at("arcada-gateway.mjs"),
    user: given.user ?? null,
    writable: writable.filter((folder) => !folder.startsWith(`${root}${path.sep}`)),
  });
  if (given["dry-run"]) return showPlan(plan);
  // systemd refuses to start a service whose folders are missing.
  for (const folder of writable) mkdirSync(folder, { recursive: true });
  for (const file of plan.files) writeFileSync(file.path, file.text, file.encoding);
  for (const command of plan.commands) execute(command);
  print("The service runs, and starts with the machine.");
}

function showPlan({ files, commands }: ServicePlan): void {
  for (const { path: at, text } of files) print(`# ${at}\n${text.replace("\uFEFF", "")}`);
  for (const command of commands) print(`$ ${command.join(" ")}`);
}

function uninstall(given: Given): void {
  const { commands, remove } = planRemoval(readPlatform(given));
  if (given["dry-run"]) {
    for (const command of commands) print(`$ ${command.join(" ")}`);
    for (const file of remove) print(`remove ${file}`);
    return;
  }
  for (const command of commands) execute(command);
  for (const file of remove) rmSync(file, { force: true });
  print("The service is removed. The folder with its settings and its queue stays.");
}

function showStatus(installation: Installation, given: Given): void {
  const { current, previous, trial, failed } = installation.readState();
  print(`Version ${current}${previous ? `, before it ${previous}` : ""}`);
  if (trial) print(`On trial: ${trial.version}`);
  if (failed.length > 0) print(`Did not become healthy: ${failed.join(", ")}`);
  const keys = installation.readUpdateKeys();
  print(keys.length > 0 ? `Updates signed by: ${keys.map((key) => key.split("=")[0]).join(", ")}` : "No updates");
  if (!given["dry-run"]) execute(statusCommand(readPlatform(given)));
}

function execute([program = "", ...given]: readonly string[]): void {
  try {
    execFileSync(program, given, { stdio: "inherit" });
  } catch (error) {
    throw new Error(`${[program, ...given].join(" ")} failed: ${(error as Error).message}`, { cause: error });
  }
}
