import { sql } from "kysely";
import { expect, it } from "vitest";
import { consentTexts } from "@arcada/contract/consent/consent.calls";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { setup } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

it("a patient's consent holds until it is withdrawn, with its wording or its document, and its history stays", async () => {
  const { clinic, dentist, server } = await setup();
  const patientId = await createPatient(clinic);
  const given = { patientId, givenBy: "王小明", givenFor: "self", givenAt: "2026-05-01T10:00:00Z" } as const;
  const [onScreen] = await clinic.call("consent.give", { ...given, kind: "training", how: "screen" });
  expect(onScreen).toMatchObject({ textVersion: consentTexts.training, withdrawn: null, recordedBy: clinic.name });
  expect(onScreen.words).toContain("My treatment does not depend on this");

  const paper = { ...given, kind: "treatment", how: "paper", givenFor: "guardian", givenBy: "王大明" } as const;
  expect(refusalOf(await dentist.ask("consent.give", paper))).toBe("badInput");
  const upload = await dentist.upload("consent.pdf", Buffer.from("%PDF-1.4 signed"));
  const list = await dentist.call("consent.give", { ...paper, textVersion: "form 7", upload });
  const scan = present(list.find(({ kind }) => kind === "treatment")?.scan, "scan");
  const fetched = await fetch(`${server.address}${scan.url}`, { headers: { token: dentist.token } });
  expect(await fetched.text()).toBe("%PDF-1.4 signed");

  const standing = () =>
    server.running.database.asSystem(async (db) => {
      const { rows } = await sql<{
        n: number;
      }>`select count(*)::int as n from consent where patient_id = ${patientId} and kind = 'training' and withdrawn_at is null`.execute(
        db,
      );
      return rows[0].n;
    });
  // The patient agrees a second time: the withdrawal ends both consents.
  await clinic.call("consent.give", { ...given, kind: "training", how: "screen" });
  expect(await standing()).toBe(2);
  const taken = await clinic.call("consent.withdraw", { patientId, kind: "training", by: "王小明", note: "by phone" });
  expect(taken.filter(({ kind }) => kind === "training")).toMatchObject([
    { withdrawn: { by: "王小明", note: "by phone", recordedBy: clinic.name } },
    { withdrawn: { by: "王小明" } },
  ]);
  expect(await standing()).toBe(0);
  expect(refusalOf(await clinic.ask("consent.withdraw", { patientId, kind: "training", by: "x" }))).toBe(
    "consentNotGiven",
  );
  expect(refusalOf(await (await setup()).clinic.ask("consent.list", { patientId }))).toBe("notFound");
});
