import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { TlmFrame } from './tlm-frame.tsx';
import classes from './tlm.module.css';

const points = [
  {
    title: 'What it measures',
    text: "A unit on the tank reports the water's level every few minutes. From the tank's measures the level becomes percent and litres. Units with a meter also report what flows in or out.",
  },
  {
    title: 'What it tells you',
    text: 'How full each tank is, how old that reading is, what was used today and yesterday, and when a tank is low, silent or may be leaking. What is reckoned, as the days until a tank is empty, says how sure it is.',
  },
  {
    title: 'What it does',
    text: "A pump can follow the tank's level between two setpoints that you choose, with a longest run time.",
  },
  {
    title: 'What it needs',
    text: 'A unit for each tank, and a gateway or a LoRaWAN network that hears them. A reading that does not arrive is shown as missing, never as a number.',
  },
];

/** `/tlm`: what tank telemetry is. */
export function TlmPage() {
  return (
    <TlmFrame title="Tank telemetry">
      <p className={classes.lead}>
        See every tank of the farm from wherever you are, and how old what you see is.
      </p>
      <div className={classes.points}>
        {points.map(({ title, text }) => (
          <section key={title} className={classes.point}>
            <h2>{title}</h2>
            <p>{text}</p>
          </section>
        ))}
      </div>
      <div className={classes.ways}>
        <Button renderRoot={(props) => <Link {...props} to="/tlm/signup" />}>Ask for tank telemetry</Button>
        <Button variant="default" renderRoot={(props) => <Link {...props} to="/tlm/add" />}>
          Add a unit you have
        </Button>
      </div>
    </TlmFrame>
  );
}
