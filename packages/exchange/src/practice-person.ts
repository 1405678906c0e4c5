import { launchedPerson, launchRules, readLaunchDay, readLaunchSex } from "@arcada/contract/patient/launch-address";
import type { LaunchedPerson } from "@arcada/contract/patient/launch-address";

/**
 * Makes the person whom a practice program names in a file of GDT or VDDS-media. What cannot be read is left out,
 * because the number alone finds most patients.
 * @returns null without a usable number
 */
export function toNamedPerson(texts: {
  number: string;
  lastName: string;
  firstName: string;
  birthDate: string;
  sex: string;
}): LaunchedPerson | null {
  const number = texts.number.trim();
  if (number === "" || number.length > launchRules.maxNumber) return null;
  const parts = [texts.lastName, texts.firstName].map((part) => part.replaceAll(/[\^\p{Cc}]/gu, " ").trim());
  const name = parts.join("^").replace(/\^$/, "").slice(0, 80);
  const birthDate = readLaunchDay(texts.birthDate.trim());
  return launchedPerson.safeParse({ number, name, birthDate, sex: readLaunchSex(texts.sex.trim()) }).data ?? null;
}
