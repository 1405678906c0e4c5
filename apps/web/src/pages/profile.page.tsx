import { noInstitution } from "@arcada/contract/kernel/fields";
import { ChangePassword } from "../account/profile/change-password.tsx";
import { Contacts } from "../account/profile/contacts.tsx";
import { FactorRequired } from "../account/factor/factor-required.tsx";
import { SignInSecurity } from "../account/factor/sign-in-security.tsx";
import { PersonalData } from "../account/profile/personal-data-form.tsx";
import { MyInstitutions } from "../account/profile/my-institutions.tsx";
import { Sessions } from "../account/profile/sessions.tsx";
import { useSignedInUser } from "../session/current-user.ts";
import { useTexts } from "../i18n/texts.ts";
import { MyMemberships } from "../member/my-memberships.tsx";
import { NoticeSwitches } from "../notice/notice-switches.tsx";
import { SettingsPage } from "../ui/sections/settings-page.tsx";
import type { PageSection } from "../ui/sections/sectioned-page.tsx";

/** User settings. For a user without an institution it is the first page and explains the next steps. */
export function Page() {
  const t = useTexts("account", "institution");
  const user = useSignedInUser();
  const isNew = user.iid === noInstitution && user.authorityId === 0;
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
    { id: "notices", title: t("account.notices"), content: <NoticeSwitches /> },
  ];
  return (
    <SettingsPage
      title={isNew ? t("account.startTitle", { name: user.nickName }) : t("account.profileTitle")}
      description={t(isNew ? "account.startText" : "account.profileText")}
      notice={<FactorRequired />}
      sections={isNew ? [institutions, ...sections] : sections.toSpliced(1, 0, institutions)}
    />
  );
}
