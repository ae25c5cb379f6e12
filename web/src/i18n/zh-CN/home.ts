export const home = {
  title: "首页",
};
