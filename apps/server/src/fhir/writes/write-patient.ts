import { clinicRoles } from "@arcada/contract/kernel/roles";
import { localDayIn, yearsBetween } from "@arcada/contract/kernel/time-zone";
import { patientRules } from "@arcada/contract/patient/patient.calls";
import { systems } from "../../domain/fhir/fhir-datatypes.ts";
import { refuse } from "../../platform/http/refuse.ts";
import type { FhirContext } from "../fhir-context.ts";
import type { WriteDefinition, WriteRequest } from "../resource-definition.ts";
import { BodyReader, readReferenceId } from "./body-reader.ts";

/** Creates and changes patients by the product's own calls, with the same questions about the same person. */
export const writePatient: WriteDefinition = {
  access: { roles: clinicRoles, scopes: ["patients.write"] },
  interactions: ["create", "update"],
  conditionalCreate: ["identifier", "name", "birthdate"],
  write: async (request) => {
    const known = request.id === null ? null : await request.read((context) => findRecord(context, request.id!));
    const { form, ignored } = await readPatient(request, known);
    const written = (await request.call(known ? "patient.update" : "patient.create", {
      ...form,
      ...(known && { id: known.id, version: request.version }),
      ...(request.evenIfDuplicate && { evenIfDuplicate: true }),
    })) as { id: string };
    return { status: known ? 200 : 201, id: written.id, ignored };
  },
};

interface KnownRecord {
  id: string;
  number: string;
  birth_date: string | null;
  age: number | null;
}

async function findRecord({ db, iid, timeZone }: FhirContext, id: string): Promise<KnownRecord> {
  const row = await db
    .selectFrom("patient")
    .select(["id", "number", "birth_date", "age_given", "age_given_on"])
    .where("institution_id", "=", iid)
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  const { age_given, age_given_on, ...record } = row ?? refuse("notFound");
  const years = age_given_on === null ? 0 : yearsBetween(age_given_on, localDayIn(timeZone, Date.now()));
  return { ...record, age: age_given === null ? null : Math.min(patientRules.maxAge, age_given + years) };
}

interface ReadPatient {
  form: Record<string, unknown>;
  ignored: string[];
}
async function readPatient({ body, isLenient, read }: WriteRequest, known: KnownRecord | null): Promise<ReadPatient> {
  const reader = new BodyReader("Patient", body, isLenient);
  reader.allow("identifier", "active", "name", "telecom", "gender", "birthDate", "address", "managingOrganization");
  if (body.active !== undefined && body.active !== true) reader.fail("active", "notSupported");
  const organisation = reader.object("managingOrganization");
  if (organisation) {
    const own = await read(({ iid }) => Promise.resolve(iid));
    if (readReferenceId(reader, organisation, "managingOrganization", "Organization") !== own)
      reader.reject("managingOrganization");
  }
  const birthDate = readBirthDate(reader);
  const form = {
    name: readName(reader),
    sex: readGender(reader, isLenient),
    // A record may have an age instead of a birth date, which FHIR has no element for.
    ...(birthDate ? { birthDate } : known && known.birth_date === null ? { age: known.age } : {}),
    ...readTelecom(reader),
    ...readIdentifiers(reader, known),
    mailAddress: readAddress(reader),
  };
  return { form, ignored: reader.finish() };
}

const han = /\p{Script=Han}/u;
function readName(reader: BodyReader): string {
  const [first, ...others] = reader.list("name", 10);
  if (!first) return reader.fail("name", "required");
  others.forEach((_, index) => reader.reject(`name[${index + 1}]`));
  reader.allowIn(first, "name[0]", ["text", "family", "given", "use"]);
  const text = reader.textOf(first.text, "name[0].text");
  if (text) return text;
  const family = reader.textOf(first.family, "name[0].family") ?? "";
  if (first.given !== undefined && !Array.isArray(first.given)) reader.fail("name[0].given");
  const given = ((first.given as unknown[] | undefined) ?? []).map((one) => reader.textOf(one, "name[0].given") ?? "");
  // Chinese names are written without a space and with the family name first.
  const name = han.test(family) ? [family, ...given].join("") : [...given, family].join(" ").trim();
  return name === "" ? reader.fail("name", "required") : name;
}

function readGender(reader: BodyReader, isLenient: boolean): string | undefined {
  const gender = reader.text("gender");
  if (gender !== "unknown") return gender;
  if (!isLenient) return reader.fail("gender", "notSupported");
  reader.reject("gender");
  return "other";
}

function readBirthDate(reader: BodyReader): string | undefined {
  const birthDate = reader.text("birthDate");
  // A year or a month alone is valid in FHIR, but a record has a whole day.
  if (birthDate !== undefined && !/^\d{4}-\d\d-\d\d$/.test(birthDate)) return reader.fail("birthDate", "dateShape");
  return birthDate;
}

interface Telecom {
  phone: string | null;
  fixedLine: string | null;
  email: string | null;
}
function readTelecom(reader: BodyReader): Telecom {
  const read: Telecom = { phone: null, fixedLine: null, email: null };
  for (const [index, element] of reader.list("telecom", 20).entries()) {
    const place = `telecom[${index}]`;
    reader.allowIn(element, place, ["system", "value", "use", "rank"]);
    const value = reader.textOf(element.value, `${place}.value`);
    const field = findTelecomField(element, read);
    if (value === undefined || value === "") continue;
    if (field === null || read[field] !== null) reader.reject(place);
    else read[field] = value;
  }
  return read;
}
function findTelecomField({ system, use }: Record<string, unknown>, read: Telecom): keyof Telecom | null {
  if (use === "old") return null;
  if (system === "email") return "email";
  if (system !== "phone" && system !== "sms") return null;
  if (use === "home" || use === "work") return "fixedLine";
  return read.phone === null ? "phone" : "fixedLine";
}

function readIdentifiers(reader: BodyReader, known: KnownRecord | null) {
  const read: { idNumber: string | null; entryNumber: string | null } = { idNumber: null, entryNumber: null };
  for (const [index, element] of reader.list("identifier", 20).entries()) {
    const place = `identifier[${index}]`;
    reader.allowIn(element, place, ["system", "value", "use"]);
    const value = reader.textOf(element.value, `${place}.value`) ?? reader.fail(`${place}.value`, "required");
    if (element.system === systems.identityNumber) read.idNumber = value;
    else if (element.system === systems.entryNumber) read.entryNumber = value;
    // The number is given by Arcada: a change of it would name another record.
    else if (element.system === systems.patientNumber && known) {
      if (value !== known.number) reader.fail(place);
    } else reader.reject(place);
  }
  return read;
}

function readAddress(reader: BodyReader): string | null {
  const [first, ...others] = reader.list("address", 10);
  others.forEach((_, index) => reader.reject(`address[${index + 1}]`));
  if (!first) return null;
  reader.allowIn(first, "address[0]", [...addressParts, "line", "text", "use", "type"]);
  const text = reader.textOf(first.text, "address[0].text");
  if (text) return text;
  if (first.line !== undefined && !Array.isArray(first.line)) reader.fail("address[0].line");
  const parts = [...((first.line as unknown[] | undefined) ?? []), ...addressParts.map((part) => first[part])].map(
    (one) => reader.textOf(one, "address[0]") ?? "",
  );
  return parts.filter(Boolean).join(", ") || null;
}
const addressParts = ["district", "city", "state", "postalCode", "country"] as const;
