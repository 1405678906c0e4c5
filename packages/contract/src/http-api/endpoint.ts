import type { KeyScope } from "../integrations/integrations.rules.ts";

/** A parameter of an address, a query or a header; all are texts. */
export interface EndpointParameter {
  name: string;
  in: "path" | "query" | "header";
  says: string;
  example: string;
  required?: true;
}

/** An endpoint that is no call: it follows a standard of its own, and has no envelope. */
export interface Endpoint {
  method: "get" | "post" | "put" | "head" | "patch" | "delete";
  /** With `{name}` for the parameters of the path. */
  path: string;
  id: string;
  tag: "uploads" | "dicomweb" | "fhir";
  summary: string;
  /** The scopes of a key of which one is needed. Null: anyone may ask. */
  scopes: readonly KeyScope[] | null;
  parameters: readonly EndpointParameter[];
  /** The media type of the body that is sent. */
  sends?: string;
  success: { status: 200 | 201 | 202 | 204 | 206; says: string; mediaType?: string };
}
