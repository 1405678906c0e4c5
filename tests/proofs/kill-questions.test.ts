import { setTimeout as delay } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { studyQuestionCalls, studyAnswers, type StudyAnswer } from "@arcada/contract/study/study-question.calls";
import { inboxCalls } from "@arcada/contract/study/inbox.calls";
import { studyBinCalls } from "@arcada/contract/study/study-bin.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { uploadJobCalls } from "@arcada/contract/study/upload-job.calls";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { craftZip } from "../../apps/server/src/ingest/archive/crafted-zip.ts";
import { waitForIngest } from "../../demo/wait-for-ingest.ts";
import { Product } from "@arcada/testing/setup/product-process";
import { refusalOf } from "@arcada/testing/refusal-of";

const isFull = process.env["ARCADA_PROOF"] === "full";
const [rounds, strangers] = isFull ? [20, 12] : [1, 6];
const product = new Product();
afterAll(() => product.remove());

const head = makeHead("kill-questions");
const size = { columns: 32, rows: 32, slices: 1, voxel: 4 };
/** A ZIP with one image of a person who is not the patient. */
function strangersZip(key: string): Uint8Array {
  const patient = { id: "", name: `Stranger^${key}`, sex: "F" as const, birthDate: "19800101" };
  const [image] = [...createCbctFiles(head, patient, { size, study: { key } })];
  return craftZip([{ name: "disc/I0", data: image.bytes }]);
}

it(
  `T-04: of ${rounds} servers killed while images are imported and questions answered, none loses or duplicates a question`,
  { timeout: 300_000 + rounds * 120_000 },
  async () => {
    await product.start();
    const session = { token: await product.register("questions@clinic.test", "clinicManager") };
    const clinic = { name: "Questions", type: "clinic", country: "CN" } as const;
    const { id: iid } = await product.call(institutionCalls.create, clinic, session);
    session.token = (await product.call(institutionCalls.switch, { iid }, session)).token;

    for (let round = 0; round < rounds; round++) {
      const person = { name: `Patient ${round}`, sex: "other", birthDate: "1990-01-01" } as const;
      const { id: patientId } = await product.call(patientCalls.create, person, session);
      const uploads: string[] = [];
      for (let one = 0; one < strangers; one++)
        uploads.push(await product.upload(session.token, `${one}.zip`, strangersZip(`${round}-${one}`)));
      const job = await product.call(uploadJobCalls.open, { patientId, uploads }, session);
      await delay(Math.random() * 1500);
      await product.kill(round % 2 === 1);
      await product.start();

      const done = await waitForIngest(() => product.call(uploadJobCalls.job, { id: job.id }, session));
      expect(done).toMatchObject({ state: "done", refused: [] });
      const asked = await product.call(studyQuestionCalls.questions, { patientId }, session);
      expect(asked.map(({ files }) => files.names[0]).toSorted()).toEqual(
        Array.from({ length: strangers }, (_, one) => `${one}.zip`).toSorted(),
      );

      const answers = new Map(asked.map(({ id }, place) => [id, studyAnswers[place % studyAnswers.length]]));
      const acknowledged = new Set<string>();
      const answering = (async () => {
        for (const [id, answer] of answers) {
          const sent = { patientId, studies: [id], answer };
          if ((await product.ask(studyQuestionCalls.answer, sent, session)).code === 200) acknowledged.add(id);
        }
      })().catch(() => {});
      while (acknowledged.size < 2) await delay(1);
      await delay(Math.random() * 20);
      await product.kill(round % 2 === 0);
      await answering;
      await product.start();

      const open = (await product.call(studyQuestionCalls.questions, { patientId }, session)).map(({ id }) => id);
      expect(open.filter((id) => acknowledged.has(id))).toEqual([]);
      for (const [id, answer] of answers) {
        const decision = await product.ask(studyQuestionCalls.answer, { patientId, studies: [id], answer }, session);
        expect(refusalOf(decision)).toBe(open.includes(id) ? "accepted" : "studyAnswered");
      }
      await expectPlaces(patientId, answers, session);
      console.info(`T-04: round ${round + 1}: ${acknowledged.size} answers acknowledged, all kept`);
    }
  },
);

/** Every study is where its answer puts it, once. */
async function expectPlaces(
  patientId: string,
  answers: ReadonlyMap<string, StudyAnswer>,
  session: { token: string },
): Promise<void> {
  const found = {
    add: (await product.call(studyCalls.list, { patientId }, session)).map(({ id }) => id),
    inbox: (await product.call(inboxCalls.inbox, { pageSize: 50 }, session)).list.map(({ id }) => id),
    discard: (await product.call(studyBinCalls.bin, {}, session)).map(({ id }) => id),
  };
  for (const [id, answer] of answers)
    for (const place of studyAnswers)
      expect(found[place].filter((one) => one === id).length, `${answer} in ${place}`).toBe(place === answer ? 1 : 0);
}
