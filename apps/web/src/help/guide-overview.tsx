import { Anchor, Text, Title } from "@mantine/core";
import { useEffect, useRef } from "react";
import { guideGroups, guidePageNames, guidePages } from "@arcada/contract/help/user-guide";
import type { GuideGroup, GuidePageName } from "@arcada/contract/help/user-guide";
import { ScreenLink } from "../browser/navigation.tsx";
import { useLanguage, useTexts } from "../i18n/texts.ts";
import type { GuideContent } from "./guide-content.ts";
import { findGuidePages } from "./find-guide-pages.ts";
import { getGuideLanguage } from "./guide-index.ts";
import classes from "./user-guide.module.css";

type Pages = Record<GuidePageName, GuideContent>;
const listGroup = (group: GuideGroup): GuidePageName[] =>
  guidePageNames.filter((name) => guidePages[name].group === group);

/** The titles of all pages beside the page that is read. A telephone has no room for it and shows a way to the overview. */
export function GuideNavigation({ pages, chosen }: { pages: Pages; chosen: GuidePageName | null }) {
  const t = useTexts("help");
  const lang = getGuideLanguage(useLanguage());
  const list = useRef<HTMLDivElement>(null);
  // The list scrolls by itself: the page that is read must be visible in it.
  useEffect(() => {
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  return (
    <nav className={classes.navigation} aria-label={t("help.pages")} data-read={chosen !== null || undefined}>
      {chosen && (
        <Anchor component={ScreenLink} screen="help" size="sm" className={classes.toOverview}>
          {t("help.all")}
        </Anchor>
      )}
      <div ref={list} className={classes.titles}>
        {guideGroups.map((group) => (
          <section key={group} aria-label={t(`help.group.${group}`)}>
            <Text size="xs" fw={550} c="dimmed" className={classes.group}>
              {t(`help.group.${group}`)}
            </Text>
            {listGroup(group).map((name) => (
              <ScreenLink
                key={name}
                screen="help"
                search={{ page: name }}
                className={classes.title}
                lang={lang}
                aria-current={name === chosen ? "page" : undefined}
              >
                {pages[name].title}
              </ScreenLink>
            ))}
          </section>
        ))}
      </div>
    </nav>
  );
}

interface OverviewProps {
  pages: Pages;
  find: string;
  /** True if the address names a page that does not exist. */
  isUnknown: boolean;
}

/** All pages with what they are about, or those that contain the typed text. */
export function GuideOverview({ pages, find, isUnknown }: OverviewProps) {
  const t = useTexts("help");
  const found = findGuidePages(pages, find);
  return (
    <>
      <Title order={1}>{t("help.title")}</Title>
      <Text c="dimmed" mt={4} role="status">
        {find.trim() === ""
          ? t(isUnknown ? "help.unknown" : "help.says")
          : found.length === 0
            ? t("help.nothing", { text: find.trim() })
            : t("help.found", { count: found.length })}
      </Text>
      {find.trim() === "" ? (
        guideGroups.map((group) => (
          <section key={group} className={classes.section}>
            <Title order={2} size="h3">
              {t(`help.group.${group}`)}
            </Title>
            <PageList pages={pages} names={listGroup(group)} />
          </section>
        ))
      ) : (
        <PageList pages={pages} names={found} />
      )}
    </>
  );
}

function PageList({ pages, names }: { pages: Pages; names: readonly GuidePageName[] }) {
  const lang = getGuideLanguage(useLanguage());
  return (
    <ul className={classes.list} lang={lang}>
      {names.map((name) => (
        <li key={name}>
          <Anchor component={ScreenLink} screen="help" search={{ page: name }} fw={600} size="sm">
            {pages[name].title}
          </Anchor>
          <Text size="sm" c="dimmed">
            {pages[name].summary}
          </Text>
        </li>
      ))}
    </ul>
  );
}
