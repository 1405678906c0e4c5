import { registerCleanup } from "./file-cleanup.ts";

registerCleanup();
