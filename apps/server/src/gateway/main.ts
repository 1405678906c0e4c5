import { StartError } from "../platform/runtime/config.ts";
import { version } from "../platform/runtime/version.ts";
import { logEvent } from "../platform/telemetry/log.ts";
import { createCloudClient } from "./cloud-client.ts";
import type { CloudClient } from "./cloud-client.ts";
import { listenForDevices } from "./device-listener.ts";
import { Forwarder } from "./forwarder.ts";
import { readGatewayConfig, type GatewayConfig } from "./gateway.config.ts";
import { forwardHl7 } from "./hl7-listener.ts";
import { gatewayHealth, openHealthPort } from "./health-port.ts";
import { runLabAgent } from "./lab/run-lab-agent.ts";
import { runPracticeCommand, startPractice } from "./practice/run-practice.ts";
import { sayHealthy, startUpdateChecks } from "./program/update-check.ts";
import { openSavedState } from "./saved-state.ts";
import { SendQueue } from "./send-queue.ts";
import { gatewayStatusView, openStatusPage } from "./status-page.ts";
import { FolderWatcher, openWatchState } from "./watch/folder-watcher.ts";
import { Worklist } from "./worklist.ts";

try {
  const status = await runPracticeCommand(process.argv.slice(2));
  if (status !== null) process.exit(status);
  const config = readGatewayConfig();
  await (config.GATEWAY_LAB_FOLDER === undefined ? runGateway(config) : runLabAgent(config, config.GATEWAY_LAB_FOLDER));
} catch (error) {
  const message = error instanceof StartError ? error.message : `could not start: ${String((error as Error).stack)}`;
  process.stderr.write(`\nArcada gateway: ${message}\n\n`);
  process.exit(1);
}

async function runGateway(config: GatewayConfig): Promise<void> {
  // The lines of the start are for the person who starts the gateway.
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const queue = await openQueue(config);
  const cloud = createCloudClient(config);
  const worklist = await Worklist.opened(config, cloud);
  // A gateway that only watches folders opens no port to the network.
  const receiver = config.GATEWAY_CALLING_AES ? await listenForDevices(config, queue, worklist.find) : null;
  const about = { softwareVersion: `gateway ${version}` };
  const pause = { firstMs: 1000, mostMs: config.GATEWAY_PAUSE_SECONDS * 1000, helloMs: 60_000 };
  const forwarder = new Forwarder({
    queue,
    cloud,
    savedState: await openSavedState(config.folder),
    log: (line) => logEvent("info", "gateway", line),
    onAccessDenied: () => worklist.forget(),
    about,
    resumableFromBytes: config.GATEWAY_RESUME_MB * 1_000_000,
    backOff: pause,
  });
  const { origin } = new URL(config.GATEWAY_CLOUD);
  const watchers = await watchFolders(config, cloud);
  const practice = await startPractice(config);
  const hl7 = await forwardHl7(config, (line) => logEvent("info", "gateway", line));
  const shown = { ...about, cloud: origin, port: receiver?.port ?? null, title: config.GATEWAY_AE_TITLE };
  const sources = {
    queue,
    state: forwarder.state,
    worklist,
    about: shown,
    watched: watchers.map(({ state }) => state),
    hl7: hl7?.state ?? null,
  };
  const status = await openStatusPage(gatewayStatusView(sources), config.GATEWAY_STATUS_PORT);
  const health = await openHealthPort(gatewayHealth(sources), config);
  if (receiver)
    print(
      `Devices send to ${config.GATEWAY_AE_TITLE} at ${config.GATEWAY_HOST} port ${receiver.port}; ${queue.waiting.length} wait for ${origin}`,
    );
  for (const { state } of watchers) print(`Watched for ${state.kind}: ${state.folder}`);
  if (practice) print(`Read for the practice program: ${config.GATEWAY_GDT_FOLDER}`);
  if (hl7) print(`Systems send HL7 to ${config.GATEWAY_HOST} port ${hl7.state.port}`);
  print(`How it is: http://127.0.0.1:${status.port}/`);
  let stopping: Promise<void> | undefined;
  const stop = (exitCode: number): void =>
    void (stopping ??= (async () => {
      endChecks();
      status.close();
      health?.close();
      worklist.close();
      await receiver?.close();
      await hl7?.close();
      // The connection closes first, so that no upload of a watcher holds the end up.
      await forwarder.stop();
      for (const watcher of watchers) await watcher.stop();
      await practice?.stop();
      process.exit(exitCode);
    })());
  const endChecks = startUpdateChecks({
    hours: config.GATEWAY_UPDATE_HOURS,
    download: cloud.download,
    findLatest: (present) => cloud.latestProgram(present),
    log: (line) => logEvent("info", "gateway", line),
    stop,
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => stop(0));
  sayHealthy(stop);
}

async function watchFolders(config: GatewayConfig, cloud: CloudClient): Promise<FolderWatcher[]> {
  if (!config.GATEWAY_WATCH) return [];
  const { ledger, folders } = await openWatchState(config.folder, config.GATEWAY_WATCH);
  return config.GATEWAY_WATCH.map(
    (watched, at) =>
      new FolderWatcher({
        ledger,
        folder: folders[at]!,
        watched,
        cloud,
        pollMs: (config.GATEWAY_SETTLE_SECONDS * 1000) / 3,
        settleMs: config.GATEWAY_SETTLE_SECONDS * 1000,
        log: (line) => logEvent("info", "gateway", line),
      }),
  );
}

async function openQueue({ folder, GATEWAY_DISK_MB }: GatewayConfig): Promise<SendQueue> {
  try {
    return await SendQueue.opened(folder, GATEWAY_DISK_MB * 1_000_000);
  } catch (error) {
    throw new StartError(
      `The folder ${folder} cannot be used: ${(error as NodeJS.ErrnoException).code}. Set GATEWAY_DIR to one that may be written.`,
    );
  }
}
