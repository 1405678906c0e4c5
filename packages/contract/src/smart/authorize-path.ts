/** The path of the page on which a person decides what an app may do. */
export const authorizePath = "/authorizeApp";
