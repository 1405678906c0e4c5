import { SimpleGrid, Stack } from "@mantine/core";
import { noInstitution } from "@arcada/contract/kernel/fields";
import { ChangePassword } from "../account/profile/change-password.tsx";
import { Contacts } from "../account/profile/contacts.tsx";
import { FactorRequired } from "../account/factor/factor-required.tsx";
import { Security } from "../account/factor/security.tsx";
import { PersonalData } from "../account/profile/personal-data.tsx";
import { MyInstitutions } from "../account/profile/my-institutions.tsx";
import { Sessions } from "../account/profile/sessions.tsx";
import { useSignedInUser } from "../session/current-user.ts";
import { useTexts } from "../i18n/texts.ts";
import { MyMemberships } from "../member/my-memberships.tsx";
import { NoticeSwitches } from "../notice/notice-switches.tsx";
import { PageBody } from "../ui/page.tsx";
import { useScrollToHash } from "./use-scroll-to-hash.ts";
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

/** User settings. For a user without an institution it is the first page and explains the next steps. */
export function Page() {
  const t = useTexts("account", "institution");
  const user = useSignedInUser();
  useScrollToHash();
  const isNew = user.iid === noInstitution && user.authorityId === 0;
  const institutions = (
    <Stack gap="lg" id="institutions" className={classes.part}>
      <MyInstitutions user={user} />
      <MyMemberships />
    </Stack>
  );
  return (
    <PageBody
      title={isNew ? t("account.startTitle", { name: user.nickName }) : t("account.profileTitle")}
      description={t(isNew ? "account.startText" : "account.profileText")}
    >
      <FactorRequired />
      <nav aria-label={t("account.sections")} className={classes.nav}>
        {Object.entries(sections).map(([id, title]) => (
          <a key={id} href={`#${id}`}>
            {t(`account.${title}`)}
          </a>
        ))}
      </nav>
      {isNew && institutions}
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <Stack gap="lg" id="person" className={classes.part}>
          <PersonalData key={user.id} user={user} />
          {!isNew && institutions}
          <div id="notices" className={classes.part}>
            <NoticeSwitches />
          </div>
        </Stack>
        <Stack gap="lg" id="account" className={classes.part}>
          <Contacts user={user} />
          <ChangePassword />
          <div id="security" className={classes.part}>
            <Security />
          </div>
          <div id="sessions" className={classes.part}>
            <Sessions />
          </div>
        </Stack>
      </SimpleGrid>
    </PageBody>
  );
}
