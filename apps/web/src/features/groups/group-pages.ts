// All pages of groups: one piece of code, since who opens one opens others.
export { EditGroupPage, NewGroupPage } from './group-form.tsx';
export { DevicesListPage } from './devices-list-page.tsx';
export { DevicesMapPage } from './devices-map-page.tsx';
