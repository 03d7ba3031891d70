import { Link } from '@tanstack/react-router';
import { PRODUCT_NAME as product } from './product.ts';

/** The Privacy Policy, without its heading. */
export function PrivacyText() {
  return (
    <>
      <p>
        This policy says what the operator of {product} (“we”, “us”), in New Zealand, knows about you, why,
        and what you can do about it. It belongs to the <Link to="/terms-of-use">Terms of Use</Link>.
      </p>

      <h2>1. What we keep</h2>
      <ul>
        <li>
          <strong>Your account:</strong> name, e-mail address, mobile number with its country code, notes,
          whether you want the newsletter, which terms you accepted and when. Your password is kept only as a
          hash, from which it can’t be read.
        </li>
        <li>
          <strong>Your farms:</strong> names, places, boundaries, devices, settings, and what the devices
          report.
        </li>
        <li>
          <strong>Sharing:</strong> who was given access to which farm, by whom, when, and when it was last
          used.
        </li>
        <li>
          <strong>Signing in:</strong> for each browser its kind, its network address, a random number that
          tells browsers apart, and when it was last used; also tries with a wrong password.
        </li>
        <li>
          <strong>Page views:</strong> which kind of page was opened, without its address or contents, for 90
          days.
        </li>
      </ul>

      <h2>2. What it is used for</h2>
      <p>
        To provide {product}, to send the messages and alerts that you chose and those that the account needs,
        to keep accounts safe, to find faults, and to learn which pages are of use. We don’t sell information
        about you, and there is no advertising.
      </p>

      <h2>3. No cookies</h2>
      <p>
        {product} uses no cookies. So that you stay signed in, your browser keeps a token, your name, your
        e-mail address and the kind of account in its local storage. Signing out removes them; what remains is
        the random number of the browser.
      </p>

      <h2>4. Do Not Track</h2>
      <p>
        {product} respects Do Not Track and Global Privacy Control: when your browser asks for either, no page
        views are sent or kept. Other sites don’t follow you here, because nothing of theirs is loaded to do
        so.
      </p>

      <h2>5. Who else sees it</h2>
      <p>
        Farm owners and the people they share a farm with see each other’s names and e-mail addresses, and
        what was done on that farm. Services that we need to run {product}, such as those that deliver e-mail,
        text messages, push messages or maps, receive what their task needs. Our support staff can see farms
        to help you; each visit stands in the access log that the farm owner can read. We hand information to
        authorities where the law demands it.
      </p>

      <h2>6. People under 18</h2>
      <p>
        People under 18 are not permitted to use {product}, and we don’t knowingly keep information about
        them. If you think that somebody under 18 has an account, tell us and we close it.
      </p>

      <h2>7. How it is protected</h2>
      <p>
        Connections are encrypted, passwords are hashed, and access is checked on every request. No system is
        without risk; if a breach may harm you, we tell you and the Privacy Commissioner as the law asks.
      </p>

      <h2>8. See, correct, download</h2>
      <p>
        On the page Account Details you see and correct what you told us, and download everything that is kept
        about your account. On the page Password &amp; Security you see where you are signed in, and can sign
        out there.
      </p>

      <h2>9. Closing an account</h2>
      <p>
        You can ask to close your account at any time. It is closed after outstanding fees are paid, 30 days
        after you asked; until then you can keep it. Then the account, its farms and their shares are deleted.
        Records that the law makes us keep, such as those of payments, stay for as long as it says.
      </p>

      <h2>10. Changes and questions</h2>
      <p>
        When this policy changes in a way that matters, we tell you before. For questions and fieldErrors ask
        the operator who gave you access to {product}; you can also turn to the Privacy Commissioner of New
        Zealand.
      </p>
    </>
  );
}
