import { Anchor, Loader, Popover, Text } from "@mantine/core";
import { Suspense, use, useEffect, useRef } from "react";
import { findGuidePage, hasHelp } from "@arcada/contract/help/screen-help";
import type { ScreenName } from "@arcada/contract/screens";
import { ScreenLink } from "../../browser/navigation.tsx";
import { loadGuideIndex } from "../../help/guide-index.ts";
import { useLanguage, useTexts } from "../../i18n/texts.ts";
import { useRole } from "../../session/current-user.ts";
import { AnchoredPopover } from "../../ui/overlays/anchored-overlays.tsx";
import type { DropdownState } from "../../ui/overlays/use-lazy-dropdown.ts";

/** The popover of the question mark. The guide's index comes after it. */
export function ScreenHelp({ screen, ...dropdown }: DropdownState & { screen: ScreenName }) {
  const t = useTexts("shell");
  return (
    <AnchoredPopover position="bottom-start" width={320} shadow="md" trapFocus returnFocus {...dropdown}>
      <Popover.Dropdown aria-label={t("shell.help")}>
        <Suspense fallback={<Loader size="sm" />}>
          <ScreenHelpText screen={screen} />
        </Suspense>
      </Popover.Dropdown>
    </AnchoredPopover>
  );
}

/** One sentence about a screen, and the link to the page of the guide, which opens in a tab of its own. */
function ScreenHelpText({ screen }: { screen: ScreenName }) {
  const t = useTexts("help");
  const role = useRole();
  const index = use(loadGuideIndex(useLanguage()));
  const link = useRef<HTMLAnchorElement>(null);
  // The texts may come after the popover has looked for what to focus.
  useEffect(() => link.current?.focus(), []);
  if (!hasHelp(screen)) return null;
  const page = findGuidePage(screen, role);
  const title = index.find(({ name }) => name === page)?.title ?? "";
  return (
    <>
      <Text size="sm" mb="xs">
        {t(`help.screen.${screen}`)}
      </Text>
      <Anchor component={ScreenLink} screen="help" search={{ page }} size="sm" target="_blank" ref={link}>
        {t("help.readMore", { page: title })}
      </Anchor>
    </>
  );
}
