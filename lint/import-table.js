// Import rules. The first row with an `at` that matches the beginning of a file's path determines the file's part;
// `may` names the parts that it may import besides its own. Slices are named by their folder: `server:order`.

/** @type {{ part: string, at: RegExp, may: string[], packages?: "declared" }[]} */
export const parts = [
  { part: "texts", at: /^packages\/texts\//, may: [], packages: "declared" },
  { part: "contract", at: /^packages\/contract\/src\//, may: [], packages: "declared" },
  { part: "imaging", at: /^packages\/imaging\/src\//, may: [], packages: "declared" },
  { part: "phantom", at: /^packages\/phantom\/src\//, may: ["imaging"], packages: "declared" },
  // Fake peers, set-up and fixtures of tests: like a test, it may import all parts.
  { part: "testing", at: /^packages\/testing\/src\//, may: ["*"] },
  { part: "analysis", at: /^packages\/analysis\/src\//, may: ["contract", "imaging"], packages: "declared" },

  // Row types only: the platform's database handle is typed by all of them.
  { part: "server:tables", at: /^apps\/server\/src\/tables\//, may: ["contract"] },
  { part: "server:platform", at: /^apps\/server\/src\/platform\//, may: ["server:tables", "contract", "texts"] },
  // The events that a slice declares: other slices may subscribe to them.
  {
    part: "server:events",
    at: /^apps\/server\/src\/[^/]+\/[^/]+\.events\.ts$/,
    may: ["server:platform", "contract"],
  },
  // The writes that a slice offers to others: each table is written by its owner alone.
  {
    part: "server:writes",
    at: /^apps\/server\/src\/[^/]+\/(?:[^/]+\/)?[^/]+\.writes\.ts$/,
    may: ["server:platform", "server:domain", "server:events", "server:tables", "contract"],
  },
  {
    part: "server:domain",
    at: /^apps\/server\/src\/domain\//,
    may: ["server:platform", "server:tables", "contract", "texts"],
  },
  {
    part: "server:$1",
    at: /^apps\/server\/src\/(study|report|ingest|order|dicomweb|dimse|chart|analysis|ceph|workorder)\//,
    may: [
      "server:platform",
      "server:domain",
      "server:events",
      "server:writes",
      "server:tables",
      "contract",
      "imaging",
      "analysis",
    ],
  },
  // A separate program, which speaks DICOM with devices and depends on no slice.
  {
    part: "server:gateway",
    at: /^apps\/server\/src\/gateway\//,
    may: ["server:dimse", "server:platform", "server:domain", "contract", "imaging"],
  },
  // It exchanges with PACS what DICOMweb indexes, by the messages of the DICOM upper layer.
  {
    part: "server:pacs",
    at: /^apps\/server\/src\/pacs\//,
    may: [
      "server:dimse",
      "server:dicomweb",
      "server:platform",
      "server:domain",
      "server:events",
      "server:writes",
      "server:tables",
      "contract",
      "imaging",
    ],
  },
  // It changes and merges records by the functions behind the calls that people make.
  {
    part: "server:hl7",
    at: /^apps\/server\/src\/hl7\//,
    may: [
      "server:patient",
      "server:platform",
      "server:domain",
      "server:events",
      "server:writes",
      "server:tables",
      "contract",
    ],
  },
  // It reads orders as the slice of orders shows them to each side.
  {
    part: "server:fhir",
    at: /^apps\/server\/src\/fhir\//,
    may: ["server:order", "server:platform", "server:domain", "server:writes", "server:tables", "contract"],
  },
  {
    part: "server:$1",
    at: /^apps\/server\/src\/([^/]+)\//,
    may: ["server:platform", "server:domain", "server:events", "server:writes", "server:tables", "contract"],
  },
  { part: "server", at: /^apps\/server\/src\//, may: ["server:*", "contract", "texts", "imaging", "analysis", "demo"] },

  // Browser services, then texts and formats: `ui` may import nothing else.
  { part: "web:browser", at: /^apps\/web\/src\/browser\//, may: ["contract", "texts"] },
  { part: "web:i18n", at: /^apps\/web\/src\/i18n\//, may: ["web:browser", "contract", "texts"] },
  { part: "web:ui", at: /^apps\/web\/src\/ui\//, may: ["web:browser", "web:i18n", "texts"] },
  { part: "web:data", at: /^apps\/web\/src\/data\//, may: ["web:browser", "web:i18n", "contract", "texts"] },
  {
    part: "web:session",
    at: /^apps\/web\/src\/session\//,
    may: ["web:browser", "web:i18n", "web:data", "contract", "texts"],
  },
  {
    part: "web:$1",
    at: /^apps\/web\/src\/(viewer|chart|analysis|ceph|report)\//,
    may: ["web:browser", "web:i18n", "web:data", "web:session", "web:ui", "contract", "imaging", "analysis"],
  },
  // The page of the open interface shows the apps that an organisation has registered.
  {
    part: "web:integrations",
    at: /^apps\/web\/src\/integrations\//,
    may: ["web:smart", "web:browser", "web:i18n", "web:data", "web:session", "web:ui", "contract"],
  },
  { part: "web:$1", at: /^apps\/web\/src\/(shell|pages|app)\//, may: ["web:*", "contract", "texts"] },
  {
    part: "web:$1",
    at: /^apps\/web\/src\/([^/]+)\//,
    may: ["web:browser", "web:i18n", "web:data", "web:session", "web:ui", "contract"],
  },
  { part: "web", at: /^apps\/web\/src\//, may: ["web:*", "contract", "texts"] },

  { part: "demo", at: /^demo\//, may: ["*"] },
  { part: "outside", at: /^/, may: ["*"] },
];

/** The source folder of each workspace package. */
export const workspaces = {
  "@arcada/texts": "packages/texts",
  "@arcada/contract": "packages/contract/src",
  "@arcada/imaging": "packages/imaging/src",
  "@arcada/phantom": "packages/phantom/src",
  "@arcada/testing": "packages/testing/src",
  "@arcada/analysis": "packages/analysis/src",
  "@arcada/server": "apps/server/src",
  "@arcada/web": "apps/web/src",
};
