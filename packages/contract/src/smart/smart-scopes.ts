import { smartRules } from "./smart.rules.ts";

/** The FHIR resources that a scope can name. */
export const smartResources = [
  "Patient",
  "ServiceRequest",
  "Task",
  "ImagingStudy",
  "DocumentReference",
  "DiagnosticReport",
  "Observation",
  "Condition",
  "Encounter",
  "Practitioner",
  "Organization",
] as const;
export type SmartResource = (typeof smartResources)[number];

/** Create, read, update, delete, search: in this order in every scope. */
export const smartRights = ["c", "r", "u", "d", "s"] as const;
export type SmartRight = (typeof smartRights)[number];

export const smartContexts = ["patient", "user", "system"] as const;
export type SmartContext = (typeof smartContexts)[number];

/** Scopes that name no resource. */
export const launchScopes = ["launch", "launch/patient", "offline_access"] as const;
export type LaunchScope = (typeof launchScopes)[number];

export interface ResourceScope {
  /** The records of one patient, those that the person may see, or those of the organisation for a backend service. */
  context: SmartContext;
  type: SmartResource | "*";
  rights: readonly SmartRight[];
}

const shape = /^(patient|user|system)\/(\*|[A-Za-z]{1,40})\.(read|write|\*|[cruds]{1,5})$/;
const rightsOfVersion1: Record<string, readonly SmartRight[]> = {
  read: ["r", "s"],
  write: ["c", "u", "d"],
  "*": smartRights,
};

/** Reads a scope of SMART App Launch, version 1 or 2; null for one that this server does not support. */
export function parseResourceScope(text: string): ResourceScope | null {
  if (text.length > smartRules.maxScopeLength) return null;
  const [, context, type = "", letters = ""] = shape.exec(text) ?? [];
  if (!context || (type !== "*" && !smartResources.includes(type as SmartResource))) return null;
  const rights = rightsOfVersion1[letters] ?? smartRights.filter((right) => letters.includes(right));
  // Version 2 prescribes the order of the letters, and none may be repeated.
  if (!(letters in rightsOfVersion1) && rights.join("") !== letters) return null;
  return { context: context as SmartContext, type: type as ResourceScope["type"], rights };
}

export const formatResourceScope = ({ context, type, rights }: ResourceScope): string =>
  `${context}/${type}.${rights.join("")}`;

export const isLaunchScope = (text: string): text is LaunchScope => launchScopes.includes(text as LaunchScope);
export const isSupportedScope = (text: string): boolean => isLaunchScope(text) || parseResourceScope(text) !== null;

/** The single scopes of a parameter, each once. */
export const splitScopes = (text: string): string[] => [...new Set(text.split(" ").filter((one) => one !== ""))];

export const readResourceScopes = (scopes: readonly string[]): ResourceScope[] =>
  scopes.flatMap((one) => parseResourceScope(one) ?? []);

/**
 * Returns those of the wanted scopes that the allowed ones cover; a scope that is covered in part is narrowed to that
 * part. A scope that is covered wholly keeps its spelling, so that a client of version 1 recognises it.
 */
export function intersectScopes(wanted: readonly string[], allowed: readonly string[]): string[] {
  const allowedScopes = readResourceScopes(allowed);
  const granted = wanted.flatMap((text): string[] => {
    if (isLaunchScope(text)) return allowed.includes(text) ? [text] : [];
    const scope = parseResourceScope(text);
    if (!scope) return [];
    const parts = allowedScopes.flatMap((one) => intersect(scope, one));
    const isWhole = parts.some((part) => part.type === scope.type && part.rights.length === scope.rights.length);
    return isWhole ? [text] : parts.map(formatResourceScope);
  });
  return [...new Set(granted)];
}

function intersect(wanted: ResourceScope, allowed: ResourceScope): ResourceScope[] {
  if (wanted.context !== allowed.context) return [];
  const type = wanted.type === "*" ? allowed.type : wanted.type;
  if (allowed.type !== "*" && allowed.type !== type) return [];
  const rights = wanted.rights.filter((right) => allowed.rights.includes(right));
  return rights.length === 0 ? [] : [{ context: wanted.context, type, rights }];
}

export const needsPatient = (scopes: readonly string[]): boolean =>
  scopes.includes("launch/patient") || readResourceScopes(scopes).some(({ context }) => context === "patient");

/** The access that scopes give to one kind of record, for people. */
export interface DescribedAccess {
  context: SmartContext;
  type: SmartResource | "*";
  reads: boolean;
  changes: boolean;
}

/** Sums scopes up: a row for each kind of record and context, those that allow changes first. */
export function describeAccess(scopes: readonly string[]): DescribedAccess[] {
  const rows = new Map<string, DescribedAccess>();
  for (const { context, type, rights } of readResourceScopes(scopes)) {
    const key = `${context}/${type}`;
    const row = rows.get(key) ?? { context, type, reads: false, changes: false };
    rows.set(key, {
      ...row,
      reads: row.reads || rights.includes("r") || rights.includes("s"),
      changes: row.changes || rights.some((right) => "cud".includes(right)),
    });
  }
  return [...rows.values()].toSorted((a, b) => Number(b.changes) - Number(a.changes));
}
