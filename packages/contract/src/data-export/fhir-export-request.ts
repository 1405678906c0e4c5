/** The request of a client of FHIR Bulk Data. */
export interface FhirExportRequest {
  /** The address of the request, which the manifest repeats. */
  url: string;
  /** The address of the FHIR endpoint. */
  base: string;
  types: string[];
  /** Only resources that changed from this instant on. */
  since: string | null;
}
