import { Button, SimpleGrid, Stack } from "@mantine/core";
import { useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import type { UserInfo } from "@arcada/contract/account/user-info.schema";
import { noInstitution } from "@arcada/contract/kernel/fields";
import { ChangePassword } from "../account/profile/change-password.tsx";
import { Contacts } from "../account/profile/contacts.tsx";
import { FactorRequired } from "../account/factor/factor-required.tsx";
import { SignInSecurity } from "../account/factor/sign-in-security.tsx";
import { PersonalData } from "../account/profile/personal-data-form.tsx";
import { MyInstitutions } from "../account/profile/my-institutions.tsx";
import { Sessions } from "../account/profile/sessions.tsx";
import { ScreenLink, useSearchParams } from "../browser/navigation.tsx";
import { useSignedInUser } from "../session/current-user.ts";
import { useTexts } from "../i18n/texts.ts";
import { MyMemberships } from "../member/my-memberships.tsx";
import { NoticeSwitches } from "../notice/notice-switches.tsx";
import { PageBody } from "../ui/page.tsx";
import { StartPage } from "./start-page.tsx";
import classes from "./profile.module.css";

/** The sections of the page, each with an anchor for links. */
const sections = {
  person: "myData",
  account: "accountAndPassword",
  institutions: "myInstitutions",
  security: "security",
  sessions: "sessions",
  notices: "notices",
} as const;

/** User settings. A user without an institution comes here first, and then sees the next steps instead. */
export function Page() {
  const user = useSignedInUser();
  const { part } = useSearchParams();
  const hash = useRouterState({ select: ({ location }) => location.hash });
  const isNew = user.iid === noInstitution && user.authorityId === 0;
  return isNew && !user.factorRequired && part !== "settings" && hash === "" ? (
    <StartPage user={user} />
  ) : (
    <UserSettings user={user} isNew={isNew} />
  );
}

function UserSettings({ user, isNew }: { user: UserInfo; isNew: boolean }) {
  const t = useTexts("account", "institution");
  useScrollToHash();
  const institutions = (
    <Stack gap="lg" id="institutions" className={classes.part}>
      <MyInstitutions user={user} />
      <MyMemberships />
    </Stack>
  );
  return (
    <PageBody
      title={t("account.profileTitle")}
      description={t("account.profileText")}
      actions={
        isNew && (
          <Button component={ScreenLink} screen="profile" variant="default">
            {t("account.start.back")}
          </Button>
        )
      }
    >
      <FactorRequired />
      <nav aria-label={t("account.sections")} className={classes.nav}>
        {Object.entries(sections).map(([id, title]) => (
          <a key={id} href={`#${id}`}>
            {t(`account.${title}`)}
          </a>
        ))}
      </nav>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <Stack gap="lg" id="person" className={classes.part}>
          <PersonalData key={user.id} user={user} />
          {institutions}
          <div id="notices" className={classes.part}>
            <NoticeSwitches />
          </div>
        </Stack>
        <Stack gap="lg" id="account" className={classes.part}>
          <Contacts user={user} />
          <ChangePassword />
          <div id="security" className={classes.part}>
            <SignInSecurity />
          </div>
          <div id="sessions" className={classes.part}>
            <Sessions />
          </div>
        </Stack>
      </SimpleGrid>
    </PageBody>
  );
}

const maxWaitMs = 4000;
const scrollEvents = ["wheel", "touchmove", "keydown", "pointerdown"] as const;

/** Keeps the addressed section in view while content above it is still loading, until the reader scrolls. */
function useScrollToHash(): void {
  const hash = useRouterState({ select: ({ location }) => location.hash });
  useEffect(() => {
    const section = hash && document.getElementById(hash);
    if (!section) return;
    const observer = new ResizeObserver(() => section.scrollIntoView({ block: "start" }));
    const stop = () => {
      clearTimeout(timer);
      observer.disconnect();
      for (const move of scrollEvents) removeEventListener(move, stop);
    };
    const timer = setTimeout(stop, maxWaitMs);
    observer.observe(document.body);
    for (const move of scrollEvents) addEventListener(move, stop, { passive: true });
    return stop;
  }, [hash]);
}
