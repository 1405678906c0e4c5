import { Button } from "@mantine/core";
import { useRouterState } from "@tanstack/react-router";
import type { UserInfo } from "@arcada/contract/account/user-info.schema";
import { findRole, hasAccess } from "@arcada/contract/kernel/roles";
import { smartCalls } from "@arcada/contract/smart/smart.calls";
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
import { NoticeSettings } from "../notice/notice-settings.tsx";
import { MyApps } from "../smart/my-apps.tsx";
import { SettingsPage } from "../ui/sections/settings-page.tsx";
import type { PageSection } from "../ui/sections/sectioned-page.tsx";
import { StartPage } from "./start-page.tsx";

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
  const t = useTexts("account", "institution", "smart");
  const institutions: PageSection = {
    id: "institutions",
    title: t("account.myInstitutions"),
    content: (
      <>
        <MyInstitutions user={user} />
        <MyMemberships />
      </>
    ),
  };
  const sections: PageSection[] = [
    { id: "person", title: t("account.myData"), content: <PersonalData key={user.id} user={user} /> },
    {
      id: "account",
      title: t("account.accountAndPassword"),
      content: (
        <>
          <Contacts user={user} />
          <ChangePassword />
        </>
      ),
    },
    { id: "security", title: t("account.security"), content: <SignInSecurity /> },
    { id: "sessions", title: t("account.sessions"), content: <Sessions /> },
    ...(hasAccess(smartCalls.approvals.access, findRole(user.authorityId))
      ? [{ id: "apps", title: t("smart.mine.title"), content: <MyApps /> }]
      : []),
    { id: "notices", title: t("account.notices"), content: <NoticeSettings /> },
  ];
  return (
    <SettingsPage
      title={t("account.profileTitle")}
      description={t("account.profileText")}
      actions={
        isNew && (
          <Button component={ScreenLink} screen="profile" variant="default">
            {t("account.start.back")}
          </Button>
        )
      }
      notice={<FactorRequired />}
      sections={sections.toSpliced(1, 0, institutions)}
    />
  );
}
