import { Agent, request } from "node:http";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { makeClinic } from "../../bench/clinic.ts";
import { cbct, type Slice } from "../../bench/imaging-files.ts";
import { newId } from "../../apps/server/src/platform/runtime/ids.ts";
import { startPostgres } from "../../apps/server/src/platform/postgres/embedded-postgres.ts";
import { bodyOf } from "../dicomweb-client.ts";
import { DimseClient, objectIn } from "../dimse-client.ts";
import { freePort, Product } from "../product.ts";

const rounds = process.env.ARCADA_PROOF === "full" ? 30 : 2;
const ctImage = "1.2.840.10008.5.1.4.1.1.2";
const [iid, dicomPort] = [newId(), await freePort()];
const product = new Product({ DICOM_PORT: String(dicomPort), DICOM_CALLING_AES: `CBCT1=${iid}` });
afterAll(() => product.remove());

it(
  `T-04: of ${rounds} servers killed while archives and devices send, none loses a picture that it acknowledged`,
  { timeout: 300_000 + rounds * 120_000 },
  async () => {
    await product.start();
    const postgres = await startPostgres({ folder: path.join(product.folder, "postgres") });
    const { token } = await makeClinic(postgres.connection, 0, iid);
    await postgres.stop();
    for (let round = 0; round < rounds; round++) {
      const volumes = [cbct(newId(), 200, 64), cbct(newId(), 200, 64), cbct(newId(), 200, 64)] as const;
      const acknowledged: Slice[] = [];
      const over = Promise.allSettled([
        sends(volumes[0], token, acknowledged),
        sends(volumes[1], token, acknowledged),
        stores(volumes[2], acknowledged),
      ]);
      await moment(acknowledged, 3 + Math.floor(Math.random() * 30));
      await product.kill(round % 2 === 1);
      await over;
      await product.start();
      for (const { study, series, uid, bytes } of acknowledged)
        expect(
          dataOf(await fileOf(`/studies/${study}/series/${series}/instances/${uid}`, token)).equals(dataOf(bytes)),
          uid,
        ).toBe(true);
      console.info(`T-04: round ${round + 1}: ${acknowledged.length} acknowledged, all there`);
    }
  },
);

/** Until so many are acknowledged: the next are under way. */
async function moment(acknowledged: readonly Slice[], count: number): Promise<void> {
  while (acknowledged.length < count) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** As an archive does, a few files in each request. */
async function sends(slices: readonly Slice[], token: string, acknowledged: Slice[]): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  for (let at = 0; at < slices.length; at += 3) {
    const some = slices.slice(at, at + 3);
    const body = bodyOf(
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

async function stores(slices: readonly Slice[], acknowledged: Slice[]): Promise<void> {
  const { client } = await DimseClient.calls({ port: dicomPort });
  for (const slice of slices) {
    if ((await client.stores(objectIn(slice.bytes, ctImage, slice.uid))) !== 0) throw new Error("not stored");
    acknowledged.push(slice);
  }
}

/** The file head of what a device sent is ours. */
const dataOf = (file: Uint8Array): Buffer => objectIn(file, "", "").dataSet;

async function fileOf(at: string, token: string): Promise<Buffer> {
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
