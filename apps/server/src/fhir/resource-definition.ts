import type { RawBuilder } from "kysely";
import type { SmartResource } from "@arcada/contract/smart/smart-scopes";
import type { Condition as ConditionResource, DocumentReference, Observation, Resource } from "@medplum/fhirtypes";
import type { Route } from "../platform/http/serve-calls.ts";
import type { FhirAccess, FhirContext, FhirReader } from "./fhir-context.ts";
import type { Condition, SearchParameter } from "./search/search-parameters.ts";

export type ResourceType = SmartResource;

export interface Sorting {
  column: RawBuilder<unknown>;
  /** `local`: a time without a zone. Empty columns must have a value. */
  type: "instant" | "day" | "local" | "text";
}

/** A resource that `_include` adds, by the name of the parameter that leads to it. */
export interface Inclusion {
  target: ResourceType;
  /** Returns the id of the resource that a match refers to. */
  idOf(resource: Resource): string | null;
}

interface CommonDefinition {
  type: ResourceType;
  /** Says what it is, for the capability statement. */
  description: string;
  access: FhirAccess;
  /** The actions of the audit log; none for what says nothing of patients. */
  audit?: { search: string; read: string };
  /**
   * True if the log names the patients that were read, also those of a search: what resources say about them could not
   * be found in the log otherwise.
   */
  auditsPatients?: true;
  includes: Readonly<Record<string, Inclusion>>;
  /** True if resources have a version, which responses name in `etag`. */
  isVersioned: boolean;
  /** Changes, which the product's own calls make. */
  write?: WriteDefinition;
}

/** Resources that are rows of a table: they are searched in the database. */
export interface TableDefinition extends CommonDefinition {
  kind: "table";
  /** The rows, as `r`. */
  from: RawBuilder<unknown>;
  /** The rows that a reader may know. Row-level security holds as well. */
  visible(reader: FhirReader): Condition;
  /** The rows of one patient, for an app that may see this patient alone. */
  ofPatient(patientId: string, reader: FhirReader): Condition;
  parameters: Readonly<Record<string, SearchParameter>>;
  sorts: Readonly<Record<string, Sorting>>;
  /** The order without `_sort`: a name of `sorts`, with "-" before it for the last first. */
  usualSort: string;
  load(context: FhirContext, ids: readonly string[]): Promise<Resource[]>;
}

export type RecordResource = Observation | ConditionResource | DocumentReference;

/** A parameter of a search among the resources of one patient. */
export interface RecordParameter {
  type: SearchParameter["type"];
  description: string;
  /** Reads a value once, and returns whether a resource has it: a patient has thousands. */
  matcher(value: string, reader: FhirReader): (resource: RecordResource) => boolean;
}

/** Resources that are parts of one patient's record: a search names the patient, or their ids. */
export interface RecordDefinition extends CommonDefinition {
  kind: "record";
  parameters: Readonly<Record<string, RecordParameter>>;
  /** Returns the patient of a resource by its id; null for an unknown one. */
  findPatient(context: FhirContext, id: string): Promise<string | null>;
  /** Returns the resources of a patient, newest first. */
  loadOfPatient(context: FhirContext, patientId: string): Promise<RecordResource[]>;
}

export type ResourceDefinition = TableDefinition | RecordDefinition;

/** The answer to a change. */
export interface WriteAnswer {
  status: 200 | 201;
  id: string;
  /** Elements that were left out because the sender said `Prefer: handling=lenient`. */
  ignored: readonly string[];
}
export interface WriteRequest {
  body: Record<string, unknown>;
  /** Null for a new resource. */
  id: string | null;
  /** The version of `If-Match`. */
  version: number | null;
  /** True if elements that are not supported are left out; otherwise they are refused. */
  isLenient: boolean;
  /** The sender has compared the records of the same person, and wants one more. */
  evenIfDuplicate: boolean;
  /** Makes a call of the product, with its rules, audit lines and events. */
  call: (name: string, input: unknown) => Promise<unknown>;
  /** Reads within the reader's institution. */
  read: <T>(work: (context: FhirContext) => Promise<T>) => Promise<T>;
}
export interface WriteDefinition {
  access: FhirAccess;
  interactions: readonly ("create" | "update")[];
  /** The parameters by which `If-None-Exist` may search. */
  conditionalCreate?: readonly string[];
  write(request: WriteRequest): Promise<WriteAnswer>;
}

export type CallRoutes = ReadonlyMap<string, Route>;
