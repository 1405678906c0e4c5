import type { Input, Output } from "@arcada/contract/kernel/call";
import { successCode } from "@arcada/contract/kernel/refusals";
import type { LaunchRequest } from "@arcada/contract/patient/launch-address";
import { practiceCalls } from "@arcada/contract/patient/practice.calls";
import { trimEndMatching } from "../../platform/text/trim-characters.ts";
import { openConnection, parseJson, responseEnvelope, toCloudRefused } from "../cloud-connection.ts";
import type { CloudResponse } from "../cloud-connection.ts";
import type { GatewayConfig } from "../gateway.config.ts";

export type ListedImage = Output<typeof practiceCalls.deviceImages>["list"][number];

/** The calls to Arcada for practice programs. Throws CloudRefused, or network errors. */
export interface PracticeCloud {
  /** Returns the address that opens a request once. */
  createLaunchAddress(request: LaunchRequest): Promise<string>;
  listImages(number: string): Promise<ListedImage[]>;
  /** The address of Arcada, without a slash at the end. */
  base: string;
  close(): void;
}

export function openPracticeCloud(config: GatewayConfig): PracticeCloud {
  const { ask, close } = openConnection(config);
  const base = trimEndMatching(config.GATEWAY_CLOUD, /\//);
  return {
    base,
    close,
    createLaunchAddress: async (request) => {
      const input: Input<typeof practiceCalls.deviceCode> = { request };
      const bytes = Buffer.from(JSON.stringify(input));
      const body = { type: "application/json", bytes: bytes.length, pieces: () => [bytes] };
      const answer = await ask("POST", practiceCalls.deviceCode.path, { body });
      const { code } = practiceCalls.deviceCode.output.parse(readData(answer));
      // The path is ours and not the answer's: a program opens no address that somebody else writes.
      return `${base}/launch?code=${encodeURIComponent(code)}`;
    },
    listImages: async (number) => {
      const answer = await ask("GET", `${practiceCalls.deviceImages.path}?${new URLSearchParams({ number })}`);
      return practiceCalls.deviceImages.output.parse(readData(answer)).list;
    },
  };
}

function readData(answer: CloudResponse): unknown {
  const envelope = responseEnvelope.safeParse(parseJson(answer.text));
  if (answer.status !== 200 || !envelope.success || envelope.data.code !== successCode) throw toCloudRefused(answer);
  return envelope.data.data;
}
