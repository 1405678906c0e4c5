import { clinicRoles } from "@arcada/contract/kernel/roles";
import { systems } from "../../domain/fhir/fhir-datatypes.ts";
import { readOrder } from "../../order/core/order.read.ts";
import { refuse } from "../../platform/http/refuse.ts";
import type { FhirContext } from "../fhir-context.ts";
import type { WriteDefinition, WriteRequest } from "../resource-definition.ts";
import { isUuid } from "../search/search-parameters.ts";
import { BodyReader, isObject, readReferenceId } from "./body-reader.ts";
import { readOrderDetails, readPrescriptionParts } from "./read-order-details.ts";

/** Creates and changes drafts of orders by the product's own call. The status `active` also sends the order. */
export const writeServiceRequest: WriteDefinition = {
  access: { roles: clinicRoles, scopes: ["orders.write"] },
  interactions: ["create", "update"],
  write: async (request) => {
    const known = request.id === null ? null : await request.read((context) => findDraft(context, request.id!));
    const { input, ignored } = await readPrescription(request, known);
    const order = (await request.call("order.save", {
      ...known?.kept,
      ...input,
      ...(known && { id: known.id, version: request.version }),
    })) as { id: string };
    return { status: known ? 200 : 201, id: order.id, ignored };
  },
};

interface KnownDraft {
  id: string;
  number: string;
  /** The parts of the prescription that FHIR has no element for, and its files, as `order.save` takes them. */
  kept: Record<string, unknown>;
}

async function findDraft({ db, iid }: FhirContext, id: string): Promise<KnownDraft> {
  const order = (isUuid(id) && (await readOrder(db, iid, id))) || refuse("notFound");
  if (order.institution_id !== iid) return refuse("notAllowed");
  const files = await db
    .selectFrom("order_file")
    .select(["id", "role"])
    .where("institution_id", "=", iid)
    .where("order_id", "=", id)
    .where("study_id", "is", null)
    .execute();
  return {
    id,
    number: order.number,
    kept: { ...order.rx, uploads: files.map((file) => ({ upload: file.id, role: file.role })) },
  };
}

async function readPrescription({ body, isLenient, read }: WriteRequest, known: KnownDraft | null) {
  const reader = new BodyReader("ServiceRequest", body, isLenient);
  reader.allow(
    "extension",
    "identifier",
    "status",
    "intent",
    "category",
    "priority",
    "code",
    "orderDetail",
    "subject",
    "occurrenceDateTime",
    "authoredOn",
    "requester",
    "performer",
    "bodySite",
    "note",
    "supportingInfo",
  );
  const status = reader.text("status") ?? reader.fail("status", "required");
  if (status !== "draft" && status !== "active") reader.fail("status", "notSupported");
  if (reader.text("intent") !== "order") reader.fail("intent", "notSupported");
  if ((reader.text("priority") ?? "routine") !== "routine") reader.reject("priority");
  const own = await read(({ iid }) => Promise.resolve(iid));
  const input = {
    caseType: readCaseType(reader),
    patientId: readSubject(reader),
    targetIid: readPerformer(reader),
    dueDate: readDueDate(reader),
    instructions: readNotes(reader),
    studies: readStudies(reader),
    ...readRequester(reader, own),
    ...readNumbers(reader, known),
    ...readOrderDetails(reader),
    ...readPrescriptionParts(reader),
    send: status === "active",
  };
  return { input, ignored: reader.finish() };
}

function readCaseType(reader: BodyReader): string {
  const codes = reader
    .listOf(reader.object("code")?.coding, "code.coding", 10)
    .filter(({ system }) => system === systems.caseType);
  const code = reader.textOf(codes[0]?.code, "code.coding.code") ?? reader.fail("code", "required");
  // The category repeats the code, as the server writes it.
  for (const [index, category] of reader.list("category", 10).entries())
    for (const coding of reader.listOf(category.coding, `category[${index}].coding`, 10))
      if (coding.system !== systems.caseType || coding.code !== code) reader.reject(`category[${index}]`);
  return code;
}

function readSubject(reader: BodyReader): string {
  const subject = reader.object("subject") ?? reader.fail("subject", "required");
  const id = readReferenceId(reader, subject, "subject", "Patient");
  return id !== undefined && isUuid(id) ? id : reader.fail("subject", "notFound");
}

function readPerformer(reader: BodyReader): string | null {
  const [first, ...others] = reader.list("performer", 10);
  others.forEach((_, index) => reader.reject(`performer[${index + 1}]`));
  if (!first) return null;
  const id = readReferenceId(reader, first, "performer[0]", "Organization");
  return id !== undefined && isUuid(id) ? id : reader.fail("performer[0]", "notFound");
}

function readDueDate(reader: BodyReader): string | null {
  const due = reader.text("occurrenceDateTime");
  if (due === undefined) return null;
  return /^\d{4}-\d\d-\d\d/.test(due) ? due.slice(0, 10) : reader.fail("occurrenceDateTime", "dateShape");
}

function readNotes(reader: BodyReader): string | null {
  const notes = reader.list("note", 20).map((note, index) => {
    reader.allowIn(note, `note[${index}]`, ["text", "time"]);
    return reader.textOf(note.text, `note[${index}].text`) ?? "";
  });
  return notes.filter(Boolean).join("\n") || null;
}

function readStudies(reader: BodyReader): string[] {
  return reader.list("supportingInfo", 50).flatMap((element, index) => {
    const id = readReferenceId(reader, element, `supportingInfo[${index}]`, "ImagingStudy");
    if (id !== undefined && isUuid(id)) return [id];
    reader.reject(`supportingInfo[${index}]`);
    return [];
  });
}

/** The own organisation, or the person of it who answers for the order. */
function readRequester(reader: BodyReader, own: string): { responsibleId?: string } {
  const requester = reader.object("requester");
  if (!requester) return {};
  const responsibleId = readReferenceId(reader, requester, "requester", "Practitioner");
  if (responsibleId !== undefined && isUuid(responsibleId)) return { responsibleId };
  if (readReferenceId(reader, requester, "requester", "Organization") !== own) reader.reject("requester");
  return {};
}

function readNumbers(reader: BodyReader, known: KnownDraft | null): { sourceOrder: string | null } {
  let sourceOrder: string | null = null;
  for (const [index, element] of reader.list("identifier", 10).entries()) {
    const place = `identifier[${index}]`;
    reader.allowIn(element, place, ["system", "value", "use"]);
    const value = reader.textOf(element.value, `${place}.value`) ?? reader.fail(`${place}.value`, "required");
    if (element.system === systems.orderNumber && known) {
      if (value !== known.number) reader.fail(place);
    } else if (element.system === systems.sourceOrder && isObject(element)) sourceOrder = value;
    else reader.reject(place);
  }
  return { sourceOrder };
}
