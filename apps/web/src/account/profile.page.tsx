import { SimpleGrid, Stack } from "@mantine/core";
import { noInstitution } from "@arcada/contract/kernel/fields";
import { useUser } from "../kernel/session.ts";
import { useTexts } from "../kernel/texts.ts";
import { PageBody } from "../ui/page.tsx";
import { ChangePassword } from "./change-password.tsx";
import { MyData } from "./my-data.tsx";
import { MyInstitutions } from "./my-institutions.tsx";
import { Sessions } from "./sessions.tsx";

/** User settings. For somebody without an organisation it is the first page, and says what to do. */
export function Page() {
  const t = useTexts("account", "institution");
  const user = useUser();
  const isNew = user.iid === noInstitution && user.authorityId === 0;
  return (
    <PageBody
      title={isNew ? t("account.startTitle", { name: user.nickName }) : t("account.profileTitle")}
      says={t(isNew ? "account.startText" : "account.profileText")}
    >
      {isNew && <MyInstitutions user={user} />}
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <Stack gap="lg">
          <MyData key={user.id} user={user} />
        </Stack>
        <Stack gap="lg">
          {!isNew && <MyInstitutions user={user} />}
          <Sessions />
          <ChangePassword />
        </Stack>
      </SimpleGrid>
    </PageBody>
  );
}
