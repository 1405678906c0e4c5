import { beforeAll, describe, expect, it, vi } from "vitest";
import sharp from "sharp";
import { studyRules } from "@arcada/contract/study/study.rules";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { createCrownDesign } from "@arcada/phantom/scan/arch-scan";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { writeStl } from "@arcada/imaging/mesh/write-mesh";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { craftZip } from "../../ingest/archive/crafted-zip.ts";
import { purgeExpired } from "../../retention/purge-expired.ts";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

const head = makeHead("question");
const image = (name: string, key = name, birthDate = "19900101"): Uint8Array =>
  [
    ...createCbctFiles(
      head,
      { id: "", name, sex: "F" as const, birthDate },
      { size: { columns: 32, rows: 32, slices: 1, voxel: 4 }, study: { key } },
    ),
  ][0].bytes;
const zipOf = (...files: Uint8Array[]) => craftZip(files.map((data, place) => ({ name: `disc/I${place}`, data })));
const scan = writeStl(present(createCrownDesign(head, 11)));
const photo = () =>
  sharp({ create: { width: 80, height: 60, channels: 3, background: "#a05040" } })
    .jpeg()
    .toBuffer();

let env: TestSetup;
beforeAll(async () => void (env = await setup()), 60_000);

/** A patient with two studies that wait, of HEAD and of Li Si. */
async function uploadWithQuestion() {
  const { clinic } = env;
  const patientId = await createPatient(clinic);
  const files = {
    "skull.zip": zipOf(image("HEAD", patientId)),
    "other.zip": zipOf(image("Li^Si", `${patientId} 2`)),
  };
  await uploadStudy(clinic, patientId, files);
  const questions = await clinic.call("study.questions", { patientId });
  const [head, li] = ["HEAD", "Li Si"].map(
    (name) => present(questions.find(({ person }) => present(person).name === name)).id,
  );
  return { clinic, patientId, head: head, li: li };
}
const listQuestions = async (patientId: string) =>
  (await env.clinic.call("study.list", { patientId })).map(({ id }) => id);
const listInbox = async () => (await env.clinic.call("study.inbox", { pageSize: 50 })).list.map(({ id }) => id);
const listWaiting = async (patientId: string) =>
  (await env.clinic.call("study.questions", { patientId })).map(({ id }) => id);

describe("an upload in which one ZIP names another patient", { timeout: 180_000 }, () => {
  it("stores the other files at once, and asks about that ZIP by its name, with the differences", async () => {
    const { clinic } = env;
    const patientId = await createPatient(clinic);
    const job = await uploadStudy(clinic, patientId, {
      "skull.zip": zipOf(image("HEAD", patientId)),
      "own.dcm": image("Wang^Xiaoming=王^小明", `${patientId} own`),
      "smile.jpg": await photo(),
      "crown.stl": scan,
    });
    expect(job).toMatchObject({ state: "done", refused: [], added: 4, questions: [expect.any(String)] });
    const kinds = (await clinic.call("study.list", { patientId })).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(["ct", "model", "photo"]);
    expect(await clinic.call("study.questions", { patientId })).toMatchObject([
      {
        id: job.questions[0],
        patientId: null,
        state: "ready",
        thumbnailUrl: expect.any(String),
        files: { names: ["skull.zip"], count: 1 },
        person: { name: "HEAD", birthDate: "1990-01-01", sex: "female" },
        patient: { id: patientId, name: "王小明", sex: "male", agrees: ["birthDate"] },
      },
    ]);
    expect(await listInbox()).not.toContain(job.questions[0]);
  });

  it("asks every colleague of the clinic, and nobody of another clinic", async () => {
    const { patientId, head: id, li } = await uploadWithQuestion();
    const seen = await env.dentist.call("study.questions", { patientId });
    expect(seen.map((one) => one.id).toSorted()).toEqual([id, li].toSorted());
    const stranger = (await setup()).clinic;
    expect(refusalOf(await stranger.ask("study.questions", { patientId }))).toBe("notFound");
    const answer = { patientId, studies: [id], answer: "add" } as const;
    expect(refusalOf(await stranger.ask("study.answer", answer))).toBe("notFound");
    expect(refusalOf(await env.lab.ask("study.answer", answer))).toBe("notAllowed");
  });
});

describe("an answer about a study that names another patient", { timeout: 180_000 }, () => {
  it("adds it to the patient, and the same files do not ask again", async () => {
    const { clinic, patientId, head: id, li } = await uploadWithQuestion();
    const left = await clinic.call("study.answer", { patientId, studies: [id], answer: "add" });
    expect(left.map((one) => one.id)).toEqual([li]);
    expect(await listQuestions(patientId)).toEqual([id]);
    const again = await uploadStudy(clinic, patientId, { "skull.zip": zipOf(image("HEAD", patientId)) });
    expect(again).toMatchObject({ state: "done", studies: [id], known: 1, questions: [] });
  });

  it("moves it to the image inbox, where its patient can be found", async () => {
    const { clinic, patientId, head: id } = await uploadWithQuestion();
    await clinic.call("study.answer", { patientId, studies: [id], answer: "inbox" });
    expect(await listInbox()).toContain(id);
    expect(await listWaiting(patientId)).not.toContain(id);
  });

  it("moves it to the bin of the inbox", async () => {
    const { clinic, patientId, head: id } = await uploadWithQuestion();
    await clinic.call("study.answer", { patientId, studies: [id], answer: "discard" });
    expect((await clinic.call("study.bin", {})).map((row) => row.id)).toContain(id);
    expect([await listWaiting(patientId), await listInbox()].flat()).not.toContain(id);
  });

  it("can be given for all at once", async () => {
    const { clinic, patientId, head: id, li } = await uploadWithQuestion();
    expect(await clinic.call("study.answer", { patientId, studies: [id, li], answer: "add" })).toEqual([]);
    expect((await listQuestions(patientId)).toSorted()).toEqual([id, li].toSorted());
  });

  it("counts once when two people answer at the same time, and the other sees what still waits", async () => {
    const { clinic, patientId, head: id, li } = await uploadWithQuestion();
    const answers = await Promise.all([
      clinic.ask("study.answer", { patientId, studies: [id], answer: "add" }),
      env.dentist.ask("study.answer", { patientId, studies: [id, li], answer: "inbox" }),
    ]);
    expect(new Set(answers.map(refusalOf))).toEqual(new Set(["accepted", "studyAnswered"]));
    const lost = present(answers.find((answer) => refusalOf(answer) === "studyAnswered"));
    const won = answers[0] === lost ? "inbox" : "add";
    expect(lost.data).toMatchObject(won === "add" ? [{ id: li }] : []);
    expect(await listQuestions(patientId)).toEqual(won === "add" ? [id] : []);
  });
});

describe("an unanswered study that names another patient", { timeout: 180_000 }, () => {
  it(`goes to the inbox after ${studyRules.questionDays} days`, async () => {
    const { patientId, head: id, li } = await uploadWithQuestion();
    const { database } = env.server.running;
    const late = new Date(Date.now() - (studyRules.questionDays * 24 + 1) * 3600_000).toISOString();
    await database.asSystem((db) =>
      db.updateTable("study_question").set({ asked_at: late }).where("study_id", "=", id).execute(),
    );
    await purgeExpired(database, () => Promise.resolve());
    expect(await listWaiting(patientId)).toEqual([li]);
    expect(await listInbox()).toContain(id);
  });

  it("is in the inbox while its patient is in the bin", async () => {
    const { clinic, patientId, head: id } = await uploadWithQuestion();
    await clinic.call("patient.remove", { id: patientId });
    expect(await listInbox()).toContain(id);
  });

  it("frees its storage when its days in the bin are over after it was discarded", async () => {
    const { clinic } = await setup();
    const patientId = await createPatient(clinic);
    const job = await uploadStudy(clinic, patientId, { "skull.zip": zipOf(image("HEAD", patientId)) });
    await clinic.call("study.answer", { patientId, studies: job.questions, answer: "discard" });
    const { database } = env.server.running;
    const past = new Date(Date.now() - 40 * 86_400_000).toISOString();
    await database.asSystem((db) =>
      db.updateTable("study").set({ deleted_at: past }).where("id", "=", job.studies[0]).execute(),
    );
    await purgeExpired(database, () => Promise.resolve());
    const stored = () =>
      database.asSystem((db) =>
        db.selectFrom("stored_file").select("sha256").where("institution_id", "=", clinic.iid).execute(),
      );
    await vi.waitFor(async () => expect(await stored()).toEqual([]), { timeout: 10_000 });
  });
});
