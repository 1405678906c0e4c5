import { ActionIcon, Anchor, Button, TextInput, Tooltip } from "@mantine/core";
import { IconPrinter, IconSearch } from "@tabler/icons-react";
import { use, useEffect } from "react";
import { isGuidePage } from "@arcada/contract/help/user-guide";
import { ScreenLink, useSearchParams, useSetSearchParams } from "../browser/navigation.tsx";
import { chooseLanguage, useLanguage, useTexts } from "../i18n/texts.ts";
import { Logo } from "../ui/logo.tsx";
import { GuideArticle } from "./guide-article.tsx";
import { getGuideLanguage, loadGuidePages } from "./guide-index.ts";
import { GuideNavigation, GuideOverview } from "./guide-overview.tsx";
import classes from "./user-guide.module.css";

/** The user guide: readable for everybody, also without signing in. It contains nothing about an organisation. */
export function Page() {
  const t = useTexts("help");
  const language = useLanguage();
  const pages = use(loadGuidePages(language));
  const { page, find = "" } = useSearchParams();
  const chosen = isGuidePage(page) && find === "" ? page : null;
  const title = chosen ? pages[chosen].title : t("help.title");
  useEffect(() => {
    document.title = `${title} · ${t("common.product")}`;
  }, [title, t]);
  useEffect(() => {
    window.scrollTo(0, 0);
  }, [chosen]);
  return (
    <>
      <a href="#main" className="arcada-skip">
        {t("shell.skip")}
      </a>
      <GuideHeader />
      <div className={classes.columns}>
        <GuideNavigation pages={pages} chosen={chosen} />
        <main id="main" tabIndex={-1} className={classes.main}>
          {chosen ? (
            <GuideArticle page={pages[chosen]} lang={getGuideLanguage(language)} />
          ) : (
            <GuideOverview pages={pages} find={find} isUnknown={page !== undefined && !isGuidePage(page)} />
          )}
        </main>
      </div>
    </>
  );
}

function GuideHeader() {
  const t = useTexts("help");
  const language = useLanguage();
  const { find = "" } = useSearchParams();
  const change = useSetSearchParams();
  const other = language === "en" ? "zh" : "en";
  return (
    <header className={classes.header}>
      <Anchor component={ScreenLink} screen="help" className={classes.home} title={t("help.all")}>
        <Logo />
      </Anchor>
      <TextInput
        className={classes.search}
        type="search"
        aria-label={t("help.search")}
        placeholder={t("help.search")}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={find}
        maxLength={80}
        onChange={(event) => change({ find: event.currentTarget.value })}
      />
      <div className={classes.tools}>
        <Tooltip label={t("help.print")}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            visibleFrom="sm"
            aria-label={t("help.print")}
            onClick={() => window.print()}
          >
            <IconPrinter size={20} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <Button variant="subtle" color="gray" size="sm" lang={other} onClick={() => void chooseLanguage(other)}>
          {t(`common.languages.${other}`)}
        </Button>
        <Button component="a" href="/" variant="default" size="sm" visibleFrom="sm">
          {t("help.toProduct")}
        </Button>
      </div>
    </header>
  );
}
