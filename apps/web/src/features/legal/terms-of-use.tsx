import { Link } from '@tanstack/react-router';
import { PRODUCT_NAME as product } from './product.ts';

/** The Terms of Use, without their heading. */
export function TermsText() {
  return (
    <>
      <p>
        These terms are an agreement between you and the operator of {product} (“we”, “us”), a business in New
        Zealand. By creating an account, accepting an invitation or using {product} in any way you accept
        them. If you don’t accept them, don’t use {product}.
      </p>

      <h2>1. Who may use {product}</h2>
      <p>
        You must be at least 18 years old. If you use {product} for a farm, a company or another person, you
        confirm that you may accept these terms for them.
      </p>
      <p>
        There are two kinds of account. A <em>farm owner</em> is responsible for the subscription of the
        account and for everybody who is given access to its farms. A <em>farm delegate</em> – a manager, a
        contractor or somebody who was invited – sees and does what a farm owner allows.
      </p>

      <h2>2. Your account</h2>
      <ul>
        <li>Give details that are true, and keep them up to date: messages about your farm go to them.</li>
        <li>Keep your password to yourself. What is done with your account counts as done by you.</li>
        <li>Tell us at once if you think that somebody else uses your account.</li>
        <li>
          A farm owner who shares a farm decides who may do what on it, and can take that back at any time.
        </li>
      </ul>

      <h2>3. What {product} does</h2>
      <p>
        {product} shows what devices on a farm report – sprinklers, gateways, repeaters, tanks and sensors –
        and sends commands to them. It works over radio links, mobile networks and the internet, which none of
        us controls. Readings can be late, missing or wrong, and commands can arrive late or not at all.
      </p>

      <h2>4. Subscription and fees</h2>
      <p>
        Parts of {product} are available only with a current subscription. Fees and the time they pay for are
        agreed between the farm owner and us. When a subscription ends, the account may be suspended: some
        functions, such as sharing farms, then stop until it is renewed.
      </p>

      <h2>5. Privacy</h2>
      <p>
        How we collect, use and keep information about you is said in the{' '}
        <Link to="/privacy-policy">Privacy Policy</Link>, which is part of these terms. We follow the Privacy
        Act of New Zealand.
      </p>

      <h2>6. Electronic communications</h2>
      <p>
        You agree that we may send you notices electronically: on the screens of {product}, by e-mail, by text
        message and by instant (push) message. A notice sent that way counts as given in writing. You choose
        which alerts you receive; messages that the account itself needs, such as those about its security or
        its closing, are always sent by e-mail. The newsletter comes only if you ask for it.
      </p>

      <h2>7. Restrictions</h2>
      <p>You may not, and may not let anybody else:</p>
      <ul>
        <li>use {product} in a way that breaks a law, or that endangers people, stock, land or water;</li>
        <li>take or exceed more water than your consents allow, relying on {product} as a reason;</li>
        <li>look at, change or control farms and devices that you were given no access to;</li>
        <li>get round the limits of an account, or try the passwords or keys of others;</li>
        <li>disturb the service, overload it, or spread harmful software through it;</li>
        <li>sell the service on, or present it as your own, without our agreement in writing.</li>
      </ul>
      <p>Software that is published under an open licence may be used as that licence says.</p>

      <h2>8. Your data</h2>
      <p>
        What you enter and what your devices report stays yours. You allow us to store and process it as far
        as providing, securing and improving {product} needs it. You can download what is kept about your
        account at any time.
      </p>

      <h2>9. Disclaimers</h2>
      <p>
        {product} is provided as it is and as it is available. As far as the law allows, we give no warranty
        that it is without faults or interruptions, or that a reading, forecast, report or alert is correct or
        in time. {product} doesn’t replace looking after your farm: check equipment, water and stock yourself,
        and never rely on it alone where a fault could do harm.
      </p>
      <p>
        As far as the law allows, we aren’t liable for indirect losses, for loss of production, profit, stock,
        water or data, or for what follows from a command that was sent with your account. Where we are
        liable, the total is limited to the fees paid for the account in the twelve months before. If you use{' '}
        {product} for business, you agree that the Consumer Guarantees Act 1993 doesn’t apply. Nothing here
        limits rights that the law doesn’t allow to be limited.
      </p>

      <h2>10. Termination</h2>
      <p>
        You can stop using {product} and close your account at any time, on the page Account Details. It is
        closed for good 30 days later, after outstanding fees are paid; until then you can change your mind.
        We may suspend or close an account that breaks these terms or whose fees are not paid, and tell you so
        by e-mail. Sections 8, 9 and 12 hold on after an account is closed.
      </p>

      <h2>11. Changes</h2>
      <p>
        We may change these terms. We tell you of changes that matter before they apply, and the date at the
        top says which version you read. Using {product} after that means that you accept them.
      </p>

      <h2>12. Governing law</h2>
      <p>
        These terms are governed by the law of New Zealand, and the courts of New Zealand decide disputes. If
        part of these terms can’t be enforced, the rest holds.
      </p>
    </>
  );
}
