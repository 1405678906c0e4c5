import { beforeAll, describe, expect, it } from "vitest";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { findSimilarPatientsOfEach, type NamedPerson } from "./patient-matching.ts";

const files = (name: string, number = "", birthDate: string | null = null): NamedPerson => ({
  name,
  number,
  birthDate,
});

describe("the search for the patients of many studies", () => {
  let env: TestSetup;
  /** The names of the patients who were found for each person. */
  const search = (people: readonly NamedPerson[], { iid, uid } = env.clinic) =>
    env.server.running.database.as({ system: false, iid, uid }, async (db) =>
      (await findSimilarPatientsOfEach(db, people)).map((found) => found.map(({ name }) => name).toSorted()),
    );
  beforeAll(async () => {
    env = await setup();
    await createPatient(env.clinic, { name: "王小明", birthDate: "1990-01-01" });
    await createPatient(env.clinic, { name: "Anna Berg", birthDate: "1985-05-05" });
    await env.clinic.call("patient.create", {
      name: "Li Si",
      sex: "male",
      birthDate: "1971-01-01",
      entryNumber: "A-7",
    });
  });

  it.for([
    ["the birth date", files("", "", "1990-01-01"), ["王小明"]],
    ["the practice's number", files("", " A-7 "), ["Li Si"]],
    ["the name in the other order", files("Berg^Anna"), ["Anna Berg"]],
    ["the name in pinyin", files("Wang^Xiaoming"), ["王小明"]],
    ["nothing, for half a character", files("\ud83d", "\ud83d"), []],
    ["nothing, for a name that was removed", files("ANONYMOUS"), []],
  ] as const)("finds by %s", async ([, person, found]) => {
    expect(await search([person])).toEqual([found]);
  });

  it("keeps people apart, in their order", async () => {
    const people = [files("", "A-7"), files("Nobody^Here"), files("Berg^Anna"), files(""), files("", "A-7")];
    expect(await search(people)).toEqual([["Li Si"], [], ["Anna Berg"], [], ["Li Si"]]);
  });

  it("finds nobody of another organisation", async () => {
    expect(await search([files("Berg^Anna", "A-7", "1990-01-01")], env.lab)).toEqual([[]]);
  });

  it("takes one statement, however many they are", async () => {
    const { iid, uid } = env.clinic;
    const people = Array.from({ length: 60 }, (_, at) => files(`Family${at}^Given`, `N${at}`, "1990-01-01"));
    let sent = 0;
    await env.server.running.database.as({ system: false, iid, uid }, async (db) => {
      const executor = db.getExecutor();
      const execute = executor.executeQuery.bind(executor);
      executor.executeQuery = ((...given: Parameters<typeof execute>) => {
        sent += 1;
        return execute(...given);
      }) as typeof execute;
      await findSimilarPatientsOfEach(db, people);
    });
    expect(sent).toBe(1);
  });
});
