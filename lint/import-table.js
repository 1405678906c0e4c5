// Import rules. The first row with an `at` that matches the beginning of a file's path determines the file's part;
// `may` names the parts that it may import besides its own. Slices are named by their folder: `server:order`.

/** @type {{ part: string, at: RegExp, may: string[], packages?: "declared" }[]} */
export const parts = [
  { part: "texts", at: /^packages\/texts\//, may: [], packages: "declared" },
  { part: "contract", at: /^packages\/contract\/src\//, may: [], packages: "declared" },
  { part: "imaging", at: /^packages\/imaging\/src\//, may: [], packages: "declared" },
  { part: "analysis", at: /^packages\/analysis\/src\//, may: ["contract", "imaging"], packages: "declared" },

  // Row types only: the platform's database handle is typed by all of them.
  { part: "server:tables", at: /^apps\/server\/src\/tables\//, may: ["contract"] },
  { part: "server:platform", at: /^apps\/server\/src\/platform\//, may: ["server:tables", "contract", "texts"] },
  {
    part: "server:domain",
    at: /^apps\/server\/src\/domain\//,
    may: ["server:platform", "server:tables", "contract", "texts"],
  },
  {
    part: "server:$1",
    at: /^apps\/server\/src\/(study|report|ingest|order|dicomweb|chart|analysis|ceph|workorder)\//,
    may: ["server:platform", "server:domain", "server:tables", "contract", "imaging", "analysis"],
  },
  // A separate program, which speaks DICOM with devices and depends on no slice.
  {
    part: "server:gateway",
    at: /^apps\/server\/src\/gateway\//,
    may: ["server:dimse", "server:platform", "server:domain", "contract", "imaging"],
  },
  {
    part: "server:$1",
    at: /^apps\/server\/src\/([^/]+)\//,
    may: ["server:platform", "server:domain", "server:tables", "contract"],
  },
  { part: "server", at: /^apps\/server\/src\//, may: ["server:*", "contract", "texts", "imaging", "analysis", "demo"] },

  // The access to texts, which is the only part of the web kernel that ui may import.
  {
    part: "web:texts",
    at: /^apps\/web\/src\/kernel\/(texts|translate|store|cookies)\.tsx?$/,
    may: ["web:kernel", "contract", "texts"],
  },
  { part: "web:kernel", at: /^apps\/web\/src\/kernel\//, may: ["web:texts", "contract", "texts"] },
  { part: "web:ui", at: /^apps\/web\/src\/ui\//, may: ["web:texts", "texts"] },
  {
    part: "web:viewer",
    at: /^apps\/web\/src\/viewer\//,
    may: ["web:texts", "web:kernel", "web:ui", "contract", "imaging", "analysis"],
  },
  {
    part: "web:$1",
    at: /^apps\/web\/src\/(chart|analysis|ceph|report)\//,
    may: ["web:texts", "web:kernel", "web:ui", "contract", "imaging", "analysis"],
  },
  { part: "web:$1", at: /^apps\/web\/src\/(shell|pages)\//, may: ["web:*", "contract"] },
  { part: "web:$1", at: /^apps\/web\/src\/([^/]+)\//, may: ["web:texts", "web:kernel", "web:ui", "contract"] },
  { part: "web", at: /^apps\/web\/src\//, may: ["web:*", "contract", "texts"] },

  { part: "demo", at: /^demo\//, may: ["*"] },
  { part: "outside", at: /^/, may: ["*"] },
];

/** The source folder of each workspace package. */
export const workspaces = {
  "@arcada/texts": "packages/texts",
  "@arcada/contract": "packages/contract/src",
  "@arcada/imaging": "packages/imaging/src",
  "@arcada/analysis": "packages/analysis/src",
  "@arcada/server": "apps/server/src",
  "@arcada/web": "apps/web/src",
};
