// Assigns modules to the chunks of the application, by the paths of their files. The configuration of Vite names the
// chunks and their order.

/** The part of the bundler's context that tells what a module imports. */
interface ImportGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/**
 * Names a chunk for the modules that some pages need before they are shown. A module that these pages import later, or
 * that only other pages need, gets no name: another group or a chunk of its own takes it.
 * @param entries full paths of the modules that begin the pages
 */
export function createPageChunk(name: string, entries: readonly string[]) {
  let needed: ReadonlySet<string> | undefined;
  return (id: string, graph: ImportGraph): string | null =>
    (needed ??= collectStaticImports(entries, graph)).has(id) ? name : null;
}

function collectStaticImports(entries: readonly string[], graph: ImportGraph): ReadonlySet<string> {
  const found = new Set(entries);
  const pending = [...entries];
  const unknown = entries.find((id) => graph.getModuleInfo(id) === null);
  if (unknown !== undefined) throw new Error(`No module ${unknown} begins a page: has it been renamed?`);
  for (let id = pending.pop(); id; id = pending.pop())
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) {
      if (found.has(imported)) continue;
      found.add(imported);
      pending.push(imported);
    }
  return found;
}

/** True for modules of the sign-in page itself, which form one chunk. */
export function isSignInPageModule(id: string): boolean {
  const parts =
    "account\\.|sign-in[\\\\/](sign-in-page-layout|login|login-form|code-sign-in|password-sign-in)\\.|" +
    "fields[\\\\/](account|account-field|code-field|format-country|use-call-form-without-library|use-document-title)\\.|human-check[\\\\/]human-check\\.";
  return new RegExp(
    `[\\\\/]src[\\\\/](account[\\\\/](${parts})|session[\\\\/]carry-values-across-sign-in\\.|factor[\\\\/](factor\\.schema|second-step\\.calls|passkey-sign-in\\.calls)\\.)`,
  ).test(id);
}

/** True for the small modules that a viewer's first paint shares with all pages. */
export function isRequestModule(id: string): boolean {
  return /[\\/]src[\\/](data[\\/](app-entry|prefetched-responses|first-picture)|browser[\\/](session-lock|persisted-file-cache-key))\./.test(
    id,
  );
}

/** True for modules that show a volume before the app is loaded. The app shares them. */
export function isFirstPaintModule(id: string): boolean {
  return [
    /[\\/]src[\\/]viewer[\\/](files[\\/]file-fetcher|first-paint[\\/](first-paint-(overlay|planes)|stored-viewport-rects|ct-arch-first-paint)|ct-core[\\/](volume-files|arch-annotation))\./,
    /[\\/]imaging[\\/]src[\\/](arch[\\/](smooth-line|curved-surface)|geometry[\\/]vector|view[\\/](middle-planes|plane-view)|volume[\\/](trilinear-sampler|volume-geometry|voxel-to-patient)|image[\\/]voi-window)\./,
  ].some((pattern) => pattern.test(id));
}

/** True for modules of the sign-in pages: one chunk that holds nothing the pages do not need. */
export function isSignInAppModule(id: string): boolean {
  const parts =
    "ActionIcon|Alert|Anchor|Box|Button|Center|Checkbox|CloseButton|Divider|Group|Input|InputBase|" +
    "InputsGroupFieldset|Loader|NativeSelect|Notification|Paper|PasswordInput|Stack|Text|TextInput|" +
    "ThemeIcon|Title|UnstyledButton|VisuallyHidden";
  const base =
    "app[\\\\/](colour-shades|start-up|zod-jitless)|" +
    "browser[\\\\/](appearance|cookies|offline-database|session-lifecycle|session-token|external-store|toast|unique-id)|" +
    "data[\\\\/](ask|call-errors|command-success-and-ended-records|field-validation|show-error|use-call-once|use-command)|" +
    "i18n[\\\\/](texts|translate)|session[\\\\/](flash-message|pending-second-factor|screen-redirects)";
  const ui = "arch-decoration|busy-state|form[\\\\/]choice-field|form[\\\\/]form-error|logo";
  const icons = "IconAlertTriangle|IconCheck|IconInfoCircle|IconUserPlus";
  return [
    new RegExp(
      `[\\\\/]icons-react[\\\\/]dist[\\\\/]esm[\\\\/](createReactComponent|defaultAttributes|icons[\\\\/](${icons}))\\.`,
    ),
    new RegExp(`[\\\\/]src[\\\\/]ui[\\\\/](${ui})\\.`),
    /[\\/]node_modules[\\/](react|react-dom|scheduler|clsx|zod)[\\/]/,
    new RegExp(
      `[\\\\/]@mantine[\\\\/]core[\\\\/]esm[\\\\/](core|utils[\\\\/](?!Floating)|components[\\\\/](${parts})[\\\\/])`,
    ),
    /[\\/]contract[\\/]src[\\/](kernel[\\/](?!time-zone|lifecycle|tooth-numbers)|account[\\/](?!(session|setup|contacts|profile|registration|complete-account|password|error-reports|legal-texts)\.calls|user-info))|[\\/]contract[\\/]src[\\/]screen/,
    new RegExp(`[\\\\/]src[\\\\/](${base})\\.ts`),
  ].some((pattern) => pattern.test(id));
}

/** True for icons and calls that many pages share. */
export function isSmallModule(id: string): boolean {
  // Few pages need planning, cephalometry and the exchange with other programs and platforms.
  const isRare =
    /[\\/]contract[\\/]src[\\/](ceph|data-export|hl7|implant|integrations|pacs|scim|smart|upgrade)[\\/]/.test(id);
  return !isRare && /[\\/]icons-react[\\/]dist[\\/]esm[\\/]icons[\\/]|[\\/]contract[\\/]src[\\/]/.test(id);
}

/** True for modules that every page loads, because the shell does. */
export function isShellModule(id: string): boolean {
  const isDropdown = /-(dropdown|menu|popover|panel|help)\.tsx$/.test(id);
  const parts = [
    /[\\/]src[\\/](notice|shell)[\\/]|[\\/]src[\\/](session[\\/]idle-watch|browser[\\/]page-title)\./,
    /[\\/](usage-bar|upload-batches|upload-authentication)\.tsx?$|[\\/]Indicator[\\/]/,
  ];
  return !isDropdown && parts.some((pattern) => pattern.test(id));
}

/** True for what floats above a page after a click or below a pointer, and for our parts that contain such a thing. */
export function isOverlayModule(id: string): boolean {
  const components = "Accordion|FocusTrap|Menu|Overlay|Popover|Radio|ScrollArea|Table|Tooltip";
  const placing =
    "@floating-ui|react-remove-scroll|react-remove-scroll-bar|react-style-singleton|use-sidecar|use-callback-ref|tslib";
  return [
    new RegExp(
      `[\\\\/]@mantine[\\\\/]core[\\\\/]esm[\\\\/](components[\\\\/](${components})|utils[\\\\/]Floating)[\\\\/]`,
    ),
    new RegExp(`[\\\\/]node_modules[\\\\/](${placing})[\\\\/]`),
    /[\\/]src[\\/]ui[\\/](overlays[\\/]anchored-overlays|form[\\/]day-field|copy-text)\.tsx$/,
  ].some((pattern) => pattern.test(id));
}

/** Dialogs, forms and long lists of choices are heavy and are loaded only when a user opens one. */
export function isSharedModule(id: string): boolean {
  const heavy =
    /[\\/](Modal|ModalBase|Drawer|Combobox|Select|ScrollArea|react-hook-form|Textarea|SimpleGrid)[\\/]|[\\/](confirm-dialog|use-call-form|use-draft)\.tsx?$/;
  const isOurs = /node_modules|[\\/]src[\\/](browser|data|i18n|session|ui)[\\/]/.test(id);
  return (
    isOurs &&
    !heavy.test(id) &&
    !isOverlayModule(id) &&
    !isListModule(id) &&
    !isListOrFormModule(id) &&
    !isFormModule(id) &&
    !isUploadModule(id) &&
    !isFilePartModule(id)
  );
}

/** True for the calls of images and of what is found on them, which viewers share with a patient's pages. */
export function isStudyCallModule(id: string): boolean {
  return /[\\/]contract[\\/]src[\\/](analysis|chart|report|share|study)[\\/]/.test(id);
}

/** True for the library of forms and for the parts that need it. */
export function isFormModule(id: string): boolean {
  return /[\\/]node_modules[\\/]react-hook-form[\\/]|[\\/]src[\\/](data[\\/]use-call-form|ui[\\/]form[\\/]day-form-field)\./.test(
    id,
  );
}

/** True for parts of lists and forms: nothing of the shell, nothing that a viewer shows at once. */
export function isListOrFormModule(id: string): boolean {
  const parts = "FileButton|List|NumberInput|Radio|ScrollArea|Slider|Switch|Tabs|Timeline";
  const ui = "description-list|form[\\\\/](draft-notice|form-footer)";
  return [
    new RegExp(`[\\\\/]@mantine[\\\\/]core[\\\\/]esm[\\\\/]components[\\\\/](${parts})[\\\\/]`),
    /[\\/]node_modules[\\/]react-number-format[\\/]/,
    new RegExp(`[\\\\/]src[\\\\/](ui[\\\\/](${ui})|browser[\\\\/]drafts)\\.`),
  ].some((pattern) => pattern.test(id));
}

/**
 * True for the parts of a plain list, a tenth of the parts of forms: the page that most people see first is one. What they
 * share with all pages, such as the library of queries, has to be in a chunk of its own before theirs takes it.
 */
export function isListModule(id: string): boolean {
  return /[\\/]src[\\/](ui[\\/](data-table|load-more|page|titled-page|virtual-rows|form[\\/]search-box)|data[\\/]use-paged-list)\./.test(
    id,
  );
}

/** True for the volume viewer, except for the forms of its panels, which load when one is opened. */
export function isVolumeViewerModule(id: string): boolean {
  return /[\\/]src[\\/]viewer[\\/]ct(-core)?[\\/](?!.*-(form|forms|panel|row|row-header|fields)\.tsx)/.test(id);
}

export function isUploadModule(id: string): boolean {
  return [
    /[\\/]node_modules[\\/](tus-js-client|url-parse|js-base64|querystringify|requires-port)[\\/]/,
    /[\\/]src[\\/]ui[\\/]upload[\\/](resumable-upload|upload-queue)\.ts/,
  ].some((pattern) => pattern.test(id));
}

/** True for the choice of files and their progress, which many pages have, but no list. */
export function isFilePartModule(id: string): boolean {
  return /[\\/]src[\\/](ui[\\/]upload[\\/]file-(picker-button|progress-list)|data[\\/]upload-in-parts)\./.test(id);
}
