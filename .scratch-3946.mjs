import path from "node:path";
const w="/work/wt/database/"; await import("vitest"); const ctx=globalThis.__ctx??={};
let stop=async()=>{};
const { default: setup } = await import(w+"packages/testing/src/setup/postgres-setup.ts");
if (process.env.PG) stop = await setup({provide:(n,v)=>{ctx[n]=v}});
const { registerCleanup } = await import(w+"packages/testing/src/setup/file-cleanup.ts"); registerCleanup();
await import(path.resolve(w,process.argv[2]));
const bad = await globalThis.__run(); await stop(); process.exit(bad?1:0);
