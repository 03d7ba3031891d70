/** What the groups' tab keeps in the address: its farm `f`, the text `g` that names are searched for, and their order. */
export interface GroupsSearch {
  f?: string | undefined;
  g?: string | undefined;
  sort?: 'za' | undefined;
}
