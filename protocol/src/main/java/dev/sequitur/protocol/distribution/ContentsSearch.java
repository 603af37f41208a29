package dev.sequitur.protocol.distribution;

import dev.sequitur.protocol.distribution.Asking.Answer;
import dev.sequitur.protocol.distribution.MissingContents.Missing;
import dev.sequitur.protocol.distribution.StateStore.Counted;
import dev.sequitur.protocol.distribution.StateStore.Effect;
import dev.sequitur.protocol.distribution.StateStore.Keep;
import dev.sequitur.protocol.distribution.StateStoreEvent.ContentsGiven;
import dev.sequitur.protocol.distribution.StateStoreEvent.ContentsSought;
import dev.sequitur.protocol.exchange.Exchange;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.machine.Step;
import dev.sequitur.protocol.message.StateContentsRequest;
import dev.sequitur.protocol.message.StateContentsResponse;
import dev.sequitur.protocol.transaction.PrivateState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * Asks other members for contents that have not come, and answers those who ask (DST-6, DST-7). One
 * request is out at a time; what a member gives is judged like anything else that comes.
 */
record ContentsSearch(StateStore rules) {
  /** About so many bytes of contents go in one answer; one state goes whatever its length. */
  static final int ANSWER_BYTES = 1_048_576;

  /** Requests of one node that are answered between two ticks. */
  static final int ANSWERS = 2;

  /**
   * In so many rounds in a row that have brought nothing the others are asked again, where not
   * every state is for every member.
   */
  static final int SILENT_ROUNDS = 200;

  /** What a state has besides data and lookup, with one party of its list. */
  private static final int BYTES_OF_ITS_OWN = 200;

  private static final int BYTES_OF_A_PARTY = 60;

  /** On each tick: begins, goes on or ends. */
  void tick(Step<StateStoreState, StateStoreEvent, Effect> step, List<RequestId> timedOut) {
    var open = step.state().asking().flatMap(Asking::open);
    if (open.isPresent() && timedOut.contains(open.get().request())) {
      silent(step, open.get());
    }
    var found = step.state().asking();
    if (found.filter(asking -> asking.isResting(step.state().missing())).isPresent()) {
      return;
    }
    if (!isWanted(step.state())) {
      if (found.isPresent() && found.get().open().isEmpty()) {
        step.become(step.state().withAsking(Optional.empty()));
      }
    } else if (found.isEmpty()) {
      // What a block has made comes by itself, and mostly before the block.
      var first = step.now().plus(rules.settings().delivery().resendNotification().initial());
      become(step, Asking.beginning(newest(step.state()), rules.members().others(), first));
    } else if (found.get().open().isEmpty() && !step.now().isBefore(found.get().next())) {
      goOn(step, found.get().awake(newest(step.state())));
    }
  }

  /**
   * What is asked for begins at or before this block. A comparison with the ledger may have found
   * something to be missing that is newer than the last block that was applied here (DST-11): a
   * node that comes into a group has applied none.
   */
  private static BlockHeight newest(StateStoreState state) {
    return state
        .missing()
        .newest()
        .filter(newest -> newest.compareTo(state.height()) > 0)
        .orElse(state.height());
  }

  /** Whether there is somebody to ask for something. */
  private boolean isWanted(StateStoreState state) {
    return !rules.members().others().isEmpty()
        && rules.members().isIn(state.height())
        && state
            .missing()
            .newest()
            .filter(newest -> rules.members().holdAll() || newest.compareTo(state.sought()) > 0)
            .isPresent();
  }

  private void goOn(Step<StateStoreState, StateStoreEvent, Effect> step, Asking asking) {
    var now = asking;
    while (!now.left().isEmpty()) {
      var page = page(step.state(), now);
      if (!page.isEmpty()) {
        ask(step, now, page);
        return;
      }
      now = now.throughWithMember();
    }
    int fruitless = now.brought() ? 0 : now.fruitless() + 1;
    if (!rules.members().holdAll()) {
      var through = now.throughWithAll(rules.members().others());
      if (through.compareTo(step.state().sought()) > 0) {
        step.record(new ContentsSought(through));
      }
      now = now.withRests(fruitless < SILENT_ROUNDS ? Optional.empty() : Optional.of(now.upTo()));
    }
    var backoff = rules.settings().delivery().resendNotification();
    var next = step.now().plus(backoff.wait(fruitless + 1, rules.self().hashCode()));
    become(step, now.again(newest(step.state()), rules.members().others(), next));
  }

  private List<Missing> page(StateStoreState state, Asking asking) {
    return state
        .missing()
        .page(
            from(state, asking),
            asking.upTo(),
            each -> !state.erased().has(each.state()),
            StateContentsRequest.MOST);
  }

  /** Where it goes on: behind what was asked of this member, or of everybody in rounds before. */
  private Optional<Missing> from(StateStoreState state, Asking asking) {
    if (asking.after().isPresent() || rules.members().holdAll()) {
      return asking.after();
    }
    var through = asking.through().getOrDefault(asking.left().get(0), BlockHeight.ZERO);
    return MissingContents.lastOf(through.compareTo(state.sought()) > 0 ? through : state.sought());
  }

  private void ask(
      Step<StateStoreState, StateStoreEvent, Effect> step, Asking asking, List<Missing> page) {
    var of = asking.left().get(0);
    var digest = new CanonicalDigest().add("contents");
    page.forEach(each -> digest.add(each.state().value()));
    var id = new RequestId(digest.finish() + "-of-" + of);
    var request =
        new StateContentsRequest(id, rules.contract(), page.stream().map(Missing::state).toList());
    var delivery = rules.settings().delivery();
    var exchange =
        Exchange.request(
            of, request, delivery.resend(), delivery.confirmationTimeout(), step.now());
    become(step, asking.asked(new Asking.Open(id, of, page)));
    step.become(step.state().withExchanges(step.state().exchanges().begin(id, exchange)));
    step.send(exchange);
  }

  /** Nothing more is asked of it in this round; in the next it is. */
  private static void silent(
      Step<StateStoreState, StateStoreEvent, Effect> step, Asking.Open open) {
    var asking = step.state().asking().orElseThrow();
    become(step, asking.answered(open.of(), Answer.NONE).nextMember());
  }

  private static void become(Step<StateStoreState, StateStoreEvent, Effect> step, Asking asking) {
    step.become(step.state().withAsking(Optional.of(asking)));
  }

  /** Only of who is asked, and only what is missing still. */
  void onResponse(
      Step<StateStoreState, StateStoreEvent, Effect> step,
      Received<StateContentsResponse> received) {
    var answer = received.message();
    var open =
        step.state()
            .asking()
            .flatMap(Asking::open)
            .filter(out -> out.request().equals(answer.requestId()))
            .filter(out -> out.of().equals(received.from()));
    if (open.isEmpty()) {
      return;
    }
    step.become(step.state().withExchanges(step.state().exchanges().end(answer.requestId())));
    var asking = step.state().asking().orElseThrow();
    var taken = new ArrayList<PrivateState>();
    var seen = new HashSet<StateId>();
    var members = rules.members();
    boolean isFalse = false;
    for (var content : answer.states()) {
      if (!rules.mayHold(members, content)) {
        isFalse = true;
      } else if (step.state().missing().contains(content.id()) && seen.add(content.id())) {
        taken.add(content);
      }
    }
    if (isFalse) {
      step.effect(Counted.FALSE_STATE);
    }
    if (!taken.isEmpty()) {
      step.effect(new Keep(taken));
      step.become(step.state().bring(taken));
      step.record(
          new ContentsGiven(received.from(), taken.stream().map(PrivateState::id).toList()));
    }
    var what = taken.isEmpty() ? (isFalse ? Answer.FALSE : Answer.NOTHING) : Answer.SOME;
    var next = asking.answered(received.from(), what);
    // The same page again only if it got shorter: who always has more would be asked for ever.
    boolean again = answer.more() && !taken.isEmpty();
    var page = open.get().page();
    become(step, again ? next : next.withAfter(Optional.of(page.get(page.size() - 1))));
  }

  /**
   * Of what it holds in memory, which is all that is unspent here: what this node has seen spent,
   * the asker will see spent too. Who asks too often gets no answer, and asks again.
   */
  void onRequest(
      Step<StateStoreState, StateStoreEvent, Effect> step,
      Received<StateContentsRequest> received) {
    var asker = received.from();
    int answered = step.state().given().getOrDefault(asker, 0);
    if (answered >= ANSWERS) {
      return;
    }
    step.become(step.state().withGiven(step.state().given().plus(asker, answered + 1)));
    var given = new ArrayList<PrivateState>();
    boolean more = false;
    int bytes = 0;
    var members = rules.members();
    for (var id : received.message().states()) {
      var content = step.state().contents().get(id);
      if (content != null && members.mayHold(asker, content)) {
        bytes += size(content);
        more = bytes > ANSWER_BYTES && !given.isEmpty();
        if (more) {
          break;
        }
        given.add(content);
      }
    }
    step.reply(
        asker,
        received.id(),
        new StateContentsResponse(received.message().requestId(), rules.contract(), given, more));
  }

  private static int size(PrivateState content) {
    return BYTES_OF_ITS_OWN
        + content.data().size()
        + 3 * content.lookup().length()
        + BYTES_OF_A_PARTY * content.distribution().size();
  }

  static StateStoreState evolve(StateStoreState state, ContentsGiven given) {
    var next = state;
    for (var id : given.states()) {
      // It may have been spent since by a block of the same decision, or be given twice.
      next = next.missing().contains(id) ? next.confirm(id) : next;
    }
    return next;
  }

  static StateStoreState evolve(StateStoreState state, ContentsSought sought) {
    BlockHeight upTo = sought.upTo();
    return upTo.compareTo(state.sought()) > 0 ? state.withSought(upTo) : state;
  }
}
