import type { DataImport, DataExport } from "@arcada/contract/data-export/data-export.calls";
import { manifestSchema } from "../../../apps/server/src/data-export/archive-manifest.ts";
import type { TestUser } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";
import { readArchiveText } from "./archive-forgery.ts";
import type { SecondInstance } from "./second-instance.ts";

/** Imports an archive like the operator's page: announces it, sends it in parts, checks it and imports it. */
export async function importArchive(instance: SecondInstance, bytes: Uint8Array): Promise<DataImport> {
  let arrival: DataImport = await instance.operator.call("leaving.import", { name: "clinic.zip", bytes: bytes.length });
  for (let at = 0; at < bytes.length; at += 100_000) {
    const sent = await fetch(`${instance.product.address}/imports/${arrival.id}`, {
      method: "PUT",
      headers: {
        token: instance.operator.token,
        "upload-offset": String(at),
        "content-type": "application/offset+octet-stream",
      },
      body: bytes.subarray(at, at + 100_000) as Uint8Array<ArrayBuffer>,
    });
    if (sent.status !== 200) throw new Error(`a piece was refused: ${sent.status} ${await sent.text()}`);
  }
  arrival = await waitUntilSettled(instance, arrival.id, ["sending", "checking"]);
  if (arrival.state !== "checked") return arrival;
  await instance.operator.call("leaving.arrivalStep", { id: arrival.id, step: "import" });
  return waitUntilSettled(instance, arrival.id, ["importing"]);
}

export async function waitUntilSettled(
  instance: SecondInstance,
  id: string,
  passingStates: readonly string[],
): Promise<DataImport> {
  for (let round = 0; round < 150; round++) {
    const found = present((await instance.operator.call("leaving.arrivals", {})).find((one) => one.id === id));
    if (!passingStates.includes(found.state)) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`the import does not end: ${instance.product.output.slice(-2000)}`);
}

/** Everything of the manager's organisation, as the browser gets it. */
export async function exportArchive(manager: TestUser): Promise<Buffer> {
  let exportJob: DataExport = await manager.call("leaving.export", {});
  for (let round = 0; round < 300 && ["waiting", "running"].includes(exportJob.state); round++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    exportJob = await manager.call("leaving.exportJob", { id: exportJob.id });
  }
  if (!exportJob.url) throw new Error(`no archive: ${exportJob.state} ${exportJob.refusal}`);
  return Buffer.from(await (await fetch(`${manager.server.address}${exportJob.url}`)).arrayBuffer());
}

export const readManifest = (bytes: Uint8Array) =>
  manifestSchema.parse(JSON.parse(readArchiveText(bytes, "manifest.json")));
