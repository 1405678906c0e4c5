/** Made by the build from docs/user: see apps/web/user-guide. */
declare module "virtual:user-guide/en" {
  export const pages: Record<
    import("@arcada/contract/help/user-guide").GuidePageName,
    import("./guide-content.ts").GuideContent
  >;
}
declare module "virtual:user-guide/zh" {
  export const pages: Record<
    import("@arcada/contract/help/user-guide").GuidePageName,
    import("./guide-content.ts").GuideContent
  >;
}
declare module "virtual:user-guide-index/en" {
  export const entries: readonly import("./guide-content.ts").GuideIndexEntry[];
}
declare module "virtual:user-guide-index/zh" {
  export const entries: readonly import("./guide-content.ts").GuideIndexEntry[];
}
