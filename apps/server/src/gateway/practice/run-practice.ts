import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "../../platform/runtime/config.ts";
import { logEvent } from "../../platform/telemetry/log.ts";
import { readGatewayConfig } from "../gateway.config.ts";
import type { GatewayConfig } from "../gateway.config.ts";
import { answerVddsCall } from "./answer-vdds.ts";
import { GdtFolder, watchGdtFolder } from "./gdt-folder.ts";
import { GdtResults, watchForResults } from "./gdt-results.ts";
import { browserOpener } from "./open-browser.ts";
import { openPracticeCloud } from "./practice-cloud.ts";

const log = (line: string): void => logEvent("info", "gateway", line);

/** Watches the practice program's folder while the gateway runs; null without one. */
export async function startPractice(config: GatewayConfig): Promise<{ stop(): Promise<void> } | null> {
  const { GATEWAY_GDT_FOLDER: folder } = config;
  if (folder === undefined) return null;
  const { gdt, results, cloud } = await openGdt(config, folder);
  const ended = new AbortController();
  const { signal } = ended;
  const over = Promise.all([watchGdtFolder(gdt, { signal, log }), watchForResults(results, { signal, log })]);
  return {
    stop: async () => {
      ended.abort();
      cloud.close();
      await over;
    },
  };
}

/**
 * The sub-commands that a practice program runs: `vdds FILE` answers a call of VDDS-media, `gdt` reads the folder of GDT
 * once. They run as the person who works at the machine, so that the browser opens on their screen, which a service
 * cannot do.
 * @returns the exit status; null if the arguments name no such command
 */
export async function runPracticeCommand(args: readonly string[]): Promise<number | null> {
  const [command, file] = args;
  if (command !== "vdds" && command !== "gdt") return null;
  const config = readGatewayConfig(process.env, { isCommand: true });
  if (command === "gdt") return readGdtOnce(config);
  if (file === undefined) throw new StartError("vdds needs the file that the practice program passes: vdds FILE");
  const cloud = openPracticeCloud(config);
  try {
    return await answerVddsCall(path.resolve(file), { cloud, openBrowser: browserOpener(config.GATEWAY_BROWSER) });
  } catch (error) {
    throw new StartError(`The file of VDDS-media cannot be answered: ${(error as Error).message}`);
  } finally {
    cloud.close();
  }
}

/** The practice program starts the command as soon as it has written its file, and some before. */
const commandLooks = 10;
const commandPauseMs = 300;

async function readGdtOnce(config: GatewayConfig): Promise<number> {
  const folder = config.GATEWAY_GDT_FOLDER;
  if (folder === undefined) throw new StartError("gdt needs GATEWAY_GDT_FOLDER, the folder of the practice program");
  const { gdt, results, cloud } = await openGdt(config, folder);
  try {
    await results.report().catch(() => {});
    for (let look = 0; look < commandLooks; look++) {
      if ((await gdt.look()) > 0) return 0;
      await sleep(commandPauseMs);
    }
    process.stderr.write(`\nArcada gateway: no file for ${config.GATEWAY_GDT_NAME} in ${folder}\n\n`);
    return 1;
  } finally {
    cloud.close();
  }
}

async function openGdt(config: GatewayConfig, folder: string) {
  const { GATEWAY_GDT_NAME: name, GATEWAY_GDT_OUT: out = folder } = config;
  const cloud = openPracticeCloud(config);
  const own = path.join(config.folder, "practice");
  const results = await GdtResults.opened({ folder: own, out, name, cloud, log });
  const openBrowser = browserOpener(config.GATEWAY_BROWSER);
  const gdt = new GdtFolder({ folder, name, cloud, openBrowser, onOpened: (request) => results.watch(request), log });
  return { gdt, results, cloud };
}
