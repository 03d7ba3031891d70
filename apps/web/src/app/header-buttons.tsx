import { useSession } from '../session/use-session.ts';
import { useCurrentFarm } from '../farm/current-farm.ts';
import { HeaderButton, type HeaderButtonProps } from '../ui/header-button.tsx';
import { ChevronIcon } from './header-icons.tsx';
import classes from './shell.module.css';

/** The header's buttons as they are before, and after, what they open is there. */
export function FarmButton({ className, ...props }: HeaderButtonProps) {
  const name = useCurrentFarm()?.name ?? '';
  return (
    <HeaderButton
      look="pill"
      className={[classes.farm, className].filter(Boolean).join(' ')}
      aria-label={`Current farm: ${name}. Choose another`}
      {...props}
    >
      <span>{name}</span>
      <ChevronIcon />
    </HeaderButton>
  );
}

const initials = (name: string) =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => word[0]?.toUpperCase())
    .join('');

export function UserButton(props: HeaderButtonProps) {
  const { name, email } = useSession();
  return (
    <HeaderButton aria-label={`Account of ${name || email}`} {...props}>
      <span className={classes.initials}>{initials(name || email)}</span>
    </HeaderButton>
  );
}
