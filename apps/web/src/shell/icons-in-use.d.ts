/** Made by the build from what our sources import: see vite.config.ts. */
declare module "virtual:icons-in-use" {
  export const icons: Readonly<Record<string, readonly (readonly [tag: string, attributes: Record<string, string>])[]>>;
}
