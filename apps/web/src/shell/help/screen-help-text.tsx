import { Anchor, Text } from "@mantine/core";
import { use, useEffect, useRef } from "react";
import { findGuidePage, hasHelp } from "@arcada/contract/help/screen-help";
import type { ScreenName } from "@arcada/contract/screens";
import { ScreenLink } from "../../browser/navigation.tsx";
import { loadGuideIndex } from "../../help/guide-index.ts";
import { useLanguage, useTexts } from "../../i18n/texts.ts";
import { useRole } from "../../session/current-user.ts";

/** One sentence about a screen, and the link to the page of the guide, which opens in a tab of its own. */
export function ScreenHelpText({ screen }: { screen: ScreenName }) {
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
