import { profileCalls } from "@arcada/contract/account/profile.calls";
import { routes } from "../../platform/http/serve-calls.ts";
import { readUserInfo } from "../user-info.ts";
import { prepareAvatar, storeAvatar } from "./avatar.ts";

export const profileRoutes = routes(profileCalls, {
  getUserInfo: (_, context) => readUserInfo(context),

  setSelfInfo: {
    prepare: (input, context) => prepareAvatar(input, context),
    handle: async (input, context) => {
      const { db, principal } = context;
      const { nickName, userName, headerImg, workPhone, ...same } = input;
      const change = {
        ...same,
        ...(headerImg !== undefined && { avatar: await storeAvatar(context, input) }),
        ...(nickName !== undefined && { nick_name: nickName }),
        ...(userName !== undefined && { user_name: userName }),
        ...(workPhone !== undefined && { work_phone: workPhone }),
      };
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
      if (Object.keys(given).length > 0)
        await db.updateTable("users").set(given).where("id", "=", principal.uid).execute();
      return readUserInfo(context);
    },
  },
});
