import { Agent, request } from "node:http";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { createClinic } from "../../bench/data/clinic.ts";
import { createCbct, type Slice } from "../../bench/data/imaging-files.ts";
import { newId } from "../../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { startPostgres } from "../../apps/server/src/platform/postgres/embedded-postgres.ts";
import { multipartBody } from "@arcada/testing/clients/dicomweb-client";
import { DimseClient, readDicomObject } from "@arcada/testing/clients/dimse-client";
import { freePort, Product } from "@arcada/testing/setup/product-process";

const rounds = process.env.ARCADA_PROOF === "full" ? 30 : 2;
const ctImage = "1.2.840.10008.5.1.4.1.1.2";
const [iid, dicomPort] = [newId(), await freePort()];
const product = new Product({ DICOM_PORT: String(dicomPort), DICOM_CALLING_AES: `CBCT1=${iid}` });
afterAll(() => product.remove());

it(
  `T-04: of ${rounds} servers killed while archives and devices send, none loses an image that it acknowledged`,
  { timeout: 300_000 + rounds * 120_000 },
  async () => {
    await product.start();
    const postgres = await startPostgres({ folder: path.join(product.folder, "postgres") });
    const { token } = await createClinic(postgres.connection, 0, iid);
    await postgres.stop();
    for (let round = 0; round < rounds; round++) {
      const volumes = [
        createCbct(newId(), 200, 64),
        createCbct(newId(), 200, 64),
        createCbct(newId(), 200, 64),
      ] as const;
      const acknowledged: Slice[] = [];
      const over = Promise.allSettled([
        sendByStow(volumes[0], token, acknowledged),
        sendByStow(volumes[1], token, acknowledged),
        sendByStore(volumes[2], acknowledged),
      ]);
      await waitForAcknowledged(acknowledged, 3 + Math.floor(Math.random() * 30));
      await product.kill(round % 2 === 1);
      await over;
      await product.start();
      for (const { study, series, uid, bytes } of acknowledged)
        expect(
          dataSet(await downloadFile(`/studies/${study}/series/${series}/instances/${uid}`, token)).equals(
            dataSet(bytes),
          ),
          uid,
        ).toBe(true);
      console.info(`T-04: round ${round + 1}: ${acknowledged.length} acknowledged, all there`);
    }
  },
);

/** Until so many are acknowledged: the next are under way. */
async function waitForAcknowledged(acknowledged: readonly Slice[], count: number): Promise<void> {
  while (acknowledged.length < count) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** As an archive does, a few files in each request. */
async function sendByStow(slices: readonly Slice[], token: string, acknowledged: Slice[]): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  for (let at = 0; at < slices.length; at += 3) {
    const some = slices.slice(at, at + 3);
    const body = multipartBody(
      some.map(({ bytes }) => bytes),
      "here",
    );
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": 'multipart/related; type="application/dicom"; boundary=here',
      "content-length": body.length,
    };
    const status = await new Promise<number | undefined>((resolve, reject) =>
      request(`${product.address}/dicomweb/studies`, { method: "POST", agent, headers }, (answer) => {
        answer.on("error", reject).resume();
        resolve(answer.statusCode);
      })
        .on("error", reject)
        .end(body),
    );
    if (status !== 200) throw new Error(`answered ${status}`);
    acknowledged.push(...some);
  }
}

async function sendByStore(slices: readonly Slice[], acknowledged: Slice[]): Promise<void> {
  const { client } = await DimseClient.associate({ port: dicomPort });
  for (const slice of slices) {
    if ((await client.store(readDicomObject(slice.bytes, ctImage, slice.uid))) !== 0) throw new Error("not stored");
    acknowledged.push(slice);
  }
}

/** The file head of what a device sent is ours. */
const dataSet = (file: Uint8Array): Buffer => readDicomObject(file, "", "").dataSet;

async function downloadFile(at: string, token: string): Promise<Buffer> {
  for (let round = 0; ; round++) {
    const answer = await fetch(`${product.address}/dicomweb${at}`, {
      headers: { accept: "application/dicom", authorization: `Bearer ${token}` },
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (answer.ok) return bytes;
    if (round > 600) throw new Error(`${at}: ${answer.status}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
