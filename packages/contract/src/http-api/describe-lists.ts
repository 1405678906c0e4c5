import { exampleId } from "./example-values.ts";
import type { PropertyWords } from "./property-words.ts";

/** Properties that mean the same in most calls: identifiers, versions, pages, filters of lists. */
export const listProperties: PropertyWords = {
  version: {
    says: "The record's `version` as the caller read it last. If somebody has changed the record since, the call is refused and nothing is written.",
    example: 3,
  },
  page: { says: "Number of the page, beginning with 1.", example: 1 },
  pageSize: { says: "The most rows that one answer contains.", example: 20 },
  cursor: {
    says: "The `next` of the answer before, for the page that follows it. If omitted: the first page. Clients store it as it is and never build one.",
    example: exampleId,
  },
  "patient:search": {
    says: "Words of the name, the patient number, the medical record number or the mobile number. Chinese names are also found by their pinyin.",
    example: "Miller",
  },
  "order:search": {
    says: "The beginning of an order number; or words of the patient's name or number; or the name or number of the organisation on the other side.",
    example: "Miller",
  },
  "member:search": {
    says: "A part of a member's name or e-mail address; for managers also of their phone number.",
    example: "miller",
  },
  "clinic:search": {
    says: "Words of the clinic's name, number or place; for clinics whose contacts the caller may see also of the address, a contact's name or phone number.",
    example: "Riverside",
  },
  "device:search": {
    says: "A part of the serial number, product, model or name of a device, or of its clinic.",
    example: "SN-1042",
  },
  "feedback:search": {
    says: "A part of the description, of the device's serial number or of the clinic's name, or the whole number of a feedback.",
    example: "black image",
  },
  "workorder:search": {
    says: "Words of the clinic, its contact, the product or the model; or a work order's number, the contact's phone number or the device's serial number.",
    example: "SN-1042",
  },
  "workorder.choices:search": {
    says: "A part of the name or number of a clinic. If empty: the first clinics by name.",
    example: "Riverside",
  },
  "capacity:search": {
    says: "A part of a card's number, or of the name or number of the clinic that activated it.",
    example: "Riverside",
  },
  "operator.organisations:search": { says: "A part of an organisation's name or number.", example: "Riverside" },
  "operator.people:search": { says: "A part of a person's name, e-mail address or phone number.", example: "miller" },
  "patient.list:sort": { says: "The property by which patients are sorted.", example: "recentVisitAt" },
  "patient.export:sort": { says: "The property by which the rows of the spreadsheet are sorted.", example: "name" },
  "order:sort": {
    says: "The property by which orders are sorted. If omitted: the creation or the due date if the filter limits that one, else the latest change.",
    example: "due",
  },
  way: {
    says: "Direction of the sort: `up` from the smallest, earliest or youngest. If omitted: downwards for dates of the past and order numbers, else upwards.",
    example: "down",
  },
  "feedback:mine": { says: "`true`: only records of the caller's own.", example: "true" },
  createdFrom: {
    says: "First day of the creation (YYYY-MM-DD), in the organisation's time zone.",
    example: "2026-11-01",
  },
  createdTo: {
    says: "Last day of the creation (YYYY-MM-DD), included, in the organisation's time zone.",
    example: "2026-11-30",
  },
  "trail:from": {
    says: "First day of the period (YYYY-MM-DD), in the organisation's time zone.",
    example: "2026-11-01",
  },
  "trail:to": {
    says: "Last day of the period (YYYY-MM-DD), included, in the organisation's time zone.",
    example: "2026-11-30",
  },
  lang: {
    says: "Language of the document, Chinese or English. If omitted: the language of the request.",
    example: "en",
  },
  "search.find:text": {
    says: "Words to search for in the lists of the caller's role. If empty: the records that the caller opened lately.",
    example: "Miller",
  },
};
