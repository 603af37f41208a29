// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title The contract of a privacy group: which of its states are unspent, which intents are fulfilled.
/// @notice Each group is a minimal proxy of one implementation. The hash of its genesis and the quorum that it begins with
/// stand in the proxy's code, behind the 45 bytes of ERC-1167: 32 bytes genesis, then the quorum. A quorum is 1 byte for how
/// many must endorse, 1 byte for how many must sign a change, 1 byte number of members, 20 bytes for each member, ascending.
/// The members change it themselves ({change}). There is no owner, no initialiser and no upgrade.
contract PrivacyGroup {
    /// @notice What became of each transition of a call, one byte each, in the order of the call: a {Outcome}.
    event Transitions(bytes outcomes);

    /// @notice The group has another committee from the next block on; it is the change of this number.
    event CommitteeChanged(uint256 number);

    /// @dev The order of the checks is that of the embedded ledger; what is last is checked last.
    enum Outcome {
        FULFILLED,
        INTENT_FULFILLED,
        STATE_UNAVAILABLE, // an input or a read was never made, or is spent: what is spent is cleared
        STATE_EXISTS,
        ENDORSEMENT_INVALID,
        COMMITTEE_CHANGED // a committee has endorsed that counts no more: another assembly may fare better
    }

    /// @dev Why a change of the committee is not taken, in the order of the node's enumeration. What a contract cannot tell is
    /// not here: it knows keys and not names, so members alone see to it that somebody stays.
    enum Flaw {
        CONTRACT_UNKNOWN,
        NUMBER_NOT_NEXT,
        SECOND_IN_BLOCK,
        TOO_LATE,
        TOO_MANY_MEMBERS,
        KEY_TWICE,
        NOBODY_STAYS,
        TOO_FEW_SIGNED,
        NEW_KEY_UNSIGNED
    }

    /// @notice The change is not taken, and nothing of it is left.
    error ChangeRefused(Flaw flaw);

    /// @notice The call is not laid out as {fulfill} or {change} says. Nothing is changed, and only its sender pays for it.
    error Malformed();

    /// @notice The implementation has no committee: call a group that {PrivacyGroupFactory} has made.
    error NoGroup();

    /// @notice Another contract has called, or an account with code of its own. Members read what was fulfilled from the data of transactions.
    error CalledByContract();

    /// @dev ERC-1167
    uint256 private constant PROXY_SIZE = 45;

    bytes32 private constant DOMAIN_TYPE =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant NAME = keccak256("Sequitur");
    bytes32 private constant VERSION = keccak256("1");
    bytes32 private constant ENDORSEMENT_TYPE = keccak256("Endorsement(bytes32 root,uint32 size)");
    bytes32 private constant TRANSITION_TYPE =
        keccak256(
            "Transition(bytes16 transaction,bytes32 commitment,bytes32[] inputs,bytes32[] reads,bytes32[] outputs)"
        );

    bytes32 private constant MEMBER_TYPE = keccak256("Member(string identity,bytes key)");
    bytes32 private constant CHANGE_TYPE =
        keccak256(
            "CommitteeChange(uint32 number,Member[] members,uint32 threshold,uint32 changeThreshold,uint64 until)Member(string identity,bytes key)"
        );

    /// @dev The field of secp256k1, whose points are those with y^2 = x^3 + 7.
    uint256 private constant FIELD = 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f;

    /// @dev Half of the order of secp256k1: a signature with a higher s is the other one of two.
    uint256 private constant MOST_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

    address private immutable implementation = address(this);

    /// @dev Slot 0: zero, or a contract of data alone with what stands after the last change. Its code is one byte zero, 4 bytes number,
    /// 8 bytes the block of the change, 8 bytes the last block in which the quorum before counts, the newest quorum, the one before.
    address private changed;

    /// @dev What stands now. A quorum is the place in memory at which it begins, zero if there is none.
    struct Standing {
        uint256 number;
        uint256 newest;
        uint256 former;
        bool newestCounts;
        bool formerCounts;
    }

    /// @dev The one slot of a state is keccak256 of a first byte that says which, and what it is. 256 intents share one: those whose
    /// ids differ in the last byte only and whose commitment is the same. It is keccak256 of a first byte, the id with zero in place of its last
    /// byte, and the commitment; the last byte says which bit is the intent's. So each intent has one bit, and no two have the same.
    bytes1 private constant INTENT = "i";
    bytes1 private constant STATE = "s";

    /// @notice The hash of the genesis of this group, the number of the last change of its committee (zero if there was none), and
    /// what stands since: how many must endorse, how many must sign the next change, and the members.
    function terms()
        external
        view
        returns (
            bytes32 genesis, uint256 number_, uint256 threshold, uint256 changeThreshold, address[] memory committee
        )
    {
        bytes memory code = readCode(address(this), PROXY_SIZE);
        assembly ("memory-safe") {
            genesis := mload(add(code, 32))
        }
        Standing memory it = standing();
        number_ = it.number;
        threshold = byteAt(it.newest);
        changeThreshold = byteAt(it.newest + 1);
        committee = new address[](byteAt(it.newest + 2));
        for (uint256 i = 0; i < committee.length; i++) {
            committee[i] = member(it.newest, i);
        }
    }

    /// @notice Whether a state was made and is not spent.
    function isUnspent(bytes32 state) external view returns (bool) {
        return load(keccak256(abi.encodePacked(STATE, state))) != 0;
    }

    /// @notice Whether an intent has been fulfilled.
    function isFulfilled(bytes16 transaction, bytes32 commitment) external view returns (bool) {
        bytes16 series = transaction & ~bytes16(uint128(0xff));
        return (load(keccak256(abi.encodePacked(INTENT, series, commitment))) >> uint8(transaction[15])) & 1 != 0;
    }

    /// @notice Fulfils transitions, each by itself, in their order; {Transitions} tells what became of each.
    /// @param groups One group after the other, each of transitions that were endorsed by the same signatures. Numbers are
    /// big-endian and nothing stands between them:
    ///
    ///     group:      u8 signatures, signature..., u32 size of the tree, u16 transitions, transition...
    ///     signature:  u8 place of its member in the committee, higher than that of the one before; r, s, v: 65 bytes
    ///     transition: 16 bytes id, 32 bytes commitment, states (inputs), states (reads), states (outputs), path
    ///     states:     u16 number, 32 bytes each
    ///     path:       nothing, if the group has all leaves of its tree, in their order;
    ///                 else u32 place of the leaf, u8 siblings, 32 bytes each, from the leaf upwards
    function fulfill(bytes calldata groups) external {
        requireReadable();
        Standing memory it = standing();
        bytes memory outcomes;
        uint256 offset;
        uint256 end;
        assembly ("memory-safe") {
            offset := groups.offset
            end := add(groups.offset, groups.length)
        }
        while (offset < end) {
            bytes memory more;
            (more, offset) = fulfillGroup(it, offset, end);
            outcomes = outcomes.length == 0 ? more : bytes.concat(outcomes, more);
        }
        emit Transitions(outcomes);
    }

    /// @dev Members read what was sent from the data of transactions, so nobody may send it in another way.
    function requireReadable() private view {
        if (address(this) == implementation) revert NoGroup();
        // An account that has delegated its code (EIP-7702) is the origin of what that code calls.
        if (msg.sender != tx.origin || msg.sender.code.length != 0) revert CalledByContract();
    }

    /// @return outcomes Of its transitions.
    /// @return next Where the group ends.
    function fulfillGroup(Standing memory it, uint256 offset, uint256 end)
        private
        returns (bytes memory outcomes, uint256 next)
    {
        unchecked {
            next = offset + 1 + 66 * number(offset, 1);
            uint256 size = number(next, 4);
            uint256 count = number(next + 4, 2);
            next += 6;
            if (next > end || count == 0 || count > size) revert Malformed();
            bool whole = count == size;
            uint256[] memory starts = new uint256[](count);
            bytes32[] memory roots = new bytes32[](count);
            for (uint256 i = 0; i < count; i++) {
                put(starts, i, next);
                bytes32 leaf;
                (leaf, next) = leafOf(next);
                if (!whole) {
                    (leaf, next) = rootByPath(next, leaf, size);
                }
                put(roots, i, leaf);
            }
            // What was read beyond the end has changed nothing yet.
            if (next > end) revert Malformed();
            // For a whole tree its nodes are written over its leaves; else each has to lead to the same root.
            bytes32 root = whole ? rootOf(roots) : get(roots, 0);
            uint256 lack = lacking(it, offset, root, size);
            // A path that leads to another root brings signatures of nothing.
            uint256 lackOfOthers = it.number > 1 ? uint256(Outcome.COMMITTEE_CHANGED) : uint256(Outcome.ENDORSEMENT_INVALID);
            outcomes = new bytes(count);
            for (uint256 i = 0; i < count; i++) {
                uint256 outcome = fulfillOne(get(starts, i), whole || get(roots, i) == root ? lack : lackOfOthers);
                assembly ("memory-safe") {
                    mstore8(add(add(outcomes, 32), i), outcome)
                }
            }
        }
    }

    /// @dev The intent, the inputs and the reads are checked before the first change. Then outputs are made as they are checked,
    /// and inputs are cleared, so that what stands twice in one list is found; then all is taken back. What is not endorsed
    /// changes nothing. It is in one piece, and two inputs have a way of their own, since each jump and each look costs.
    /// @param lack What it comes to if nothing else is wrong: {Outcome}.
    /// @return outcome One of {Outcome}.
    function fulfillOne(uint256 start, uint256 lack) private returns (uint256 outcome) {
        assembly ("memory-safe") {
            function fulfilled(list, missing) -> end {
                mstore(0, INTENT)
                calldatacopy(1, list, 48)
                mstore8(16, 0)
                let intents := keccak256(0, 49)
                let fulfilledOnes := sload(intents)
                {
                    let withThis := or(fulfilledOnes, shl(byte(15, calldataload(list)), 1))
                    if eq(withThis, fulfilledOnes) {
                        end := 1 // INTENT_FULFILLED
                        leave
                    }
                    fulfilledOnes := withThis
                }
                mstore(0, STATE)

                // The slots of inputs, and behind them those of outputs, are written to free memory.
                let inputs := mload(0x40)
                let made := inputs
                list := add(list, 48)
                let state := add(list, 2)
                list := add(state, shl(5, shr(240, calldataload(list))))
                for {} lt(state, list) { state := add(state, 32) } {
                    mstore(1, calldataload(state))
                    let slot := keccak256(0, 33)
                    if iszero(sload(slot)) {
                        end := 2 // STATE_UNAVAILABLE
                        leave
                    }
                    mstore(made, slot)
                    made := add(made, 32)
                }

                // Reads
                state := add(list, 2)
                list := add(state, shl(5, shr(240, calldataload(list))))
                for {} lt(state, list) { state := add(state, 32) } {
                    mstore(1, calldataload(state))
                    if iszero(sload(keccak256(0, 33))) {
                        end := 2 // STATE_UNAVAILABLE
                        leave
                    }
                }

                let free := made
                state := add(list, 2)
                list := add(state, shl(5, shr(240, calldataload(list))))
                for {} lt(state, list) { state := add(state, 32) } {
                    mstore(1, calldataload(state))
                    let slot := keccak256(0, 33)
                    if sload(slot) {
                        end := 3 // STATE_EXISTS
                        break
                    }
                    if iszero(missing) {
                        sstore(slot, 1)
                        mstore(free, slot)
                        free := add(free, 32)
                    }
                }
                if iszero(end) { end := missing }

                if iszero(end) {
                    let cleared := inputs
                    switch sub(made, inputs)
                    case 64 {
                        let first := mload(inputs)
                        let second := mload(add(inputs, 32))
                        if xor(first, second) {
                            sstore(first, 0)
                            sstore(second, 0)
                            cleared := made
                        }
                    }
                    default {
                        for {} lt(cleared, made) { cleared := add(cleared, 32) } {
                            let slot := mload(cleared)
                            if iszero(sload(slot)) { break }
                            sstore(slot, 0)
                        }
                    }
                    if eq(cleared, made) {
                        sstore(intents, fulfilledOnes)
                        leave // FULFILLED
                    }
                    end := 2 // STATE_UNAVAILABLE
                    for {} lt(inputs, cleared) { inputs := add(inputs, 32) } { sstore(mload(inputs), 1) }
                }
                for {} lt(made, free) { made := add(made, 32) } { sstore(mload(made), 0) }
            }

            outcome := fulfilled(start, lack)
        }
    }

    /// @dev The hash of 0x00 and the EIP-712 hash of the transition that begins there.
    /// @return leaf That hash.
    /// @return next Where its states end.
    function leafOf(uint256 start) private pure returns (bytes32 leaf, uint256 next) {
        bytes32 transitionType = TRANSITION_TYPE;
        assembly ("memory-safe") {
            let free := mload(0x40)
            let lists := add(free, 96)
            let states := add(free, 192)
            next := add(start, 48)
            for {} lt(lists, states) { lists := add(lists, 32) } {
                let length := shl(5, shr(240, calldataload(next)))
                next := add(next, 2)
                calldatacopy(states, next, length)
                mstore(lists, keccak256(states, length))
                next := add(next, length)
            }
            mstore(free, transitionType)
            mstore(add(free, 32), shl(128, shr(128, calldataload(start))))
            mstore(add(free, 64), calldataload(add(start, 16)))
            mstore(add(free, 1), keccak256(free, 192))
            mstore8(free, 0)
            leaf := keccak256(free, 33)
        }
    }

    function inner(bytes32 left, bytes32 right) private pure returns (bytes32 hash) {
        assembly ("memory-safe") {
            let free := mload(0x40)
            mstore8(free, 1)
            mstore(add(free, 1), left)
            mstore(add(free, 33), right)
            hash := keccak256(free, 65)
        }
    }

    /// @dev Of all leaves, level by level; one that has no neighbour goes up as it is, which is the tree of RFC 9162.
    function rootOf(bytes32[] memory nodes) private pure returns (bytes32 root) {
        assembly ("memory-safe") {
            let first := add(nodes, 32)
            let end := add(first, shl(5, mload(nodes)))
            let free := mload(0x40)
            mstore8(free, 1)
            for {} gt(end, add(first, 32)) {} {
                let up := first
                let node := first
                for {} lt(add(node, 32), end) { node := add(node, 64) } {
                    mstore(add(free, 1), mload(node))
                    mstore(add(free, 33), mload(add(node, 32)))
                    mstore(up, keccak256(free, 65))
                    up := add(up, 32)
                }
                if lt(node, end) {
                    mstore(up, mload(node))
                    up := add(up, 32)
                }
                end := up
            }
            root := mload(first)
        }
    }

    /// @dev Section 2.1.3.2 of RFC 9162. A path that is too long or too short leads to no root.
    /// @return root Zero if there is none.
    /// @return next Where the path ends.
    function rootByPath(uint256 path, bytes32 node, uint256 size) private pure returns (bytes32 root, uint256 next) {
        unchecked {
            uint256 place = number(path, 4);
            uint256 count = number(path + 4, 1);
            path += 5;
            next = path + 32 * count;
            if (place >= size) return (0, next);
            uint256 last = size - 1;
            for (; path < next; path += 32) {
                if (last == 0) return (0, next);
                if (place % 2 == 1 || place == last) {
                    node = inner(word(path), node);
                    while (place % 2 == 0 && place != 0) {
                        place >>= 1;
                        last >>= 1;
                    }
                } else {
                    node = inner(node, word(path));
                }
                place >>= 1;
                last >>= 1;
            }
            return (last == 0 ? node : bytes32(0), next);
        }
    }

    /// @dev Zero if enough members have signed of a committee that counts in this block; else why not, of {Outcome}.
    function lacking(Standing memory it, uint256 offset, bytes32 root, uint256 size) private view returns (uint256) {
        bytes32 digest = digestOf(keccak256(abi.encode(ENDORSEMENT_TYPE, root, size)));
        address[] memory signers = new address[](number(offset, 1));
        if (it.newestCounts && isSigned(it.newest, byteAt(it.newest), digest, offset, signers)) return 0;
        bool byFormer = it.former != 0 && isSigned(it.former, byteAt(it.former), digest, offset, signers);
        if (byFormer && it.formerCounts) return 0;
        return
            byFormer || it.number > 1 ? uint256(Outcome.COMMITTEE_CHANGED) : uint256(Outcome.ENDORSEMENT_INVALID);
    }

    /// @dev Whether enough different members of a quorum have signed. A signature that is not a member's counts for nothing.
    /// @param missing How many must.
    /// @param offset Of the number of signatures.
    /// @param signers Who has made each, as far as that was found out already: it costs most of all.
    function isSigned(uint256 quorum, uint256 missing, bytes32 digest, uint256 offset, address[] memory signers)
        private
        pure
        returns (bool)
    {
        unchecked {
            uint256 members = byteAt(quorum + 2);
            uint256 next = 0; // the lowest place that may still sign
            offset += 1;
            for (uint256 i = 0; i < signers.length && missing > 0; i++) {
                uint256 place = number(offset, 1);
                if (place < next || place >= members) return false;
                next = place + 1;
                if (signers[i] == address(0)) signers[i] = signerOf(digest, offset + 1);
                if (signers[i] == member(quorum, place)) missing--;
                offset += 66;
            }
            return missing == 0;
        }
    }

    /// @notice Puts another committee in the place of the one that stands, from the next block on. Whoever sends it says nothing by
    /// that: enough members of the one that stands must have signed, and each new key must have.
    /// @param data Numbers are big-endian and nothing stands between them:
    ///
    ///     u32 number, one more than that of the last change; u64 until, the last block in which the committee before counts;
    ///     u8 how many must endorse; u8 how many must sign the next change; u8 members;
    ///     member...   as they are signed: u16 length, identity; 33 bytes compressed key
    ///     order       for each member, ascending by address: u8 its place in the list before
    ///     signatures  of the committee that stands: u8 how many; each u8 place in it, higher than the one before; r, s, v
    ///     signatures  of the new one, as before; those of who was in the one before are not looked at
    function change(bytes calldata data) external {
        requireReadable();
        Standing memory it = standing();
        uint256 offset;
        uint256 end;
        assembly ("memory-safe") {
            offset := data.offset
            end := add(data.offset, data.length)
        }
        uint256 changes = number(offset, 4);
        uint256 until = number(offset + 4, 8);
        (bytes memory quorum, bytes32 digest, uint256 next) = quorumOf(offset, end);
        if (changes != it.number + 1) revert ChangeRefused(Flaw.NUMBER_NOT_NEXT);
        bool ascending;
        (ascending, next) = order(quorum, next, end);
        if (!ascending) revert ChangeRefused(Flaw.KEY_TWICE);
        if (!it.newestCounts) revert ChangeRefused(Flaw.SECOND_IN_BLOCK);
        if (block.number > until) revert ChangeRefused(Flaw.TOO_LATE);

        uint256 ofNew = next + 1 + 66 * number(next, 1);
        if (ofNew + 1 + 66 * number(ofNew, 1) > end) revert Malformed();
        if (!isSigned(it.newest, byteAt(it.newest + 1), digest, next, new address[](number(next, 1)))) {
            revert ChangeRefused(Flaw.TOO_FEW_SIGNED);
        }
        if (!isSignedByNew(it.newest, startOf(quorum), digest, ofNew)) revert ChangeRefused(Flaw.NEW_KEY_UNSIGNED);
        changed = stored(it, changes, until, quorum);
        emit CommitteeChanged(changes);
    }

    /// @dev The quorum of a change, with its members as they are signed, and what is signed.
    /// @return quorum As it is stored, but for the order of its members.
    /// @return digest The EIP-712 digest of the change.
    /// @return next Where its members end.
    function quorumOf(uint256 offset, uint256 end)
        private
        view
        returns (bytes memory quorum, bytes32 digest, uint256 next)
    {
        uint256 members = number(offset + 14, 1);
        next = offset + 15;
        if (next > end || members == 0) revert Malformed();
        quorum = new bytes(3 + 20 * members);
        bytes32[] memory hashes = new bytes32[](members);
        for (uint256 i = 0; i < members; i++) {
            uint256 length = number(next, 2);
            if (next + length + 35 > end) revert Malformed();
            bytes32 identity = hashOf(next + 2, length);
            next += 2 + length;
            hashes[i] = keccak256(abi.encode(MEMBER_TYPE, identity, hashOf(next, 33)));
            setMember(startOf(quorum), i, addressOf(next));
            next += 33;
        }
        for (uint256 i = 0; i < 3; i++) {
            quorum[i] = bytes1(word(offset + 12 + i));
            if (quorum[i] == 0 || uint8(quorum[i]) > members) revert Malformed();
        }
        digest = digestOf(
            keccak256(
                abi.encode(
                    CHANGE_TYPE,
                    number(offset, 4),
                    keccak256(abi.encodePacked(hashes)),
                    number(offset + 12, 1),
                    number(offset + 13, 1),
                    number(offset + 4, 8)
                )
            )
        );
    }

    /// @dev Of the compressed key that begins there. Its y is a root of x^3 + 7, which is that to the (FIELD + 1) / 4, if it has one.
    function addressOf(uint256 offset) private view returns (address) {
        uint256 parity;
        unchecked {
            parity = number(offset, 1) - 2;
        }
        uint256 x = uint256(word(offset + 1));
        if (parity > 1 || x >= FIELD) revert Malformed();
        uint256 square = addmod(mulmod(mulmod(x, x, FIELD), x, FIELD), 7, FIELD);
        (bool done, bytes memory root) =
            address(5).staticcall(abi.encode(32, 32, 32, square, (FIELD + 1) / 4, FIELD));
        uint256 y = done ? abi.decode(root, (uint256)) : 0;
        if (mulmod(y, y, FIELD) != square) revert Malformed();
        return address(uint160(uint256(keccak256(abi.encode(x, y & 1 == parity ? y : FIELD - y)))));
    }

    /// @dev Puts the members of a quorum into ascending order, as the call says what that is.
    /// @return isAscending Whether no two have one address.
    /// @return next Where the order ends.
    function order(bytes memory quorum, uint256 offset, uint256 end)
        private
        pure
        returns (bool isAscending, uint256 next)
    {
        uint256 members = uint8(quorum[2]);
        next = offset + members;
        if (next > end) revert Malformed();
        bytes memory given = bytes.concat(quorum);
        address before = address(0);
        isAscending = true;
        for (uint256 i = 0; i < members; i++) {
            uint256 place = number(offset + i, 1);
            if (place >= members) revert Malformed();
            address one = member(startOf(given), place);
            if (one < before) revert Malformed();
            isAscending = isAscending && one != before;
            setMember(startOf(quorum), i, one);
            before = one;
        }
    }

    /// @dev Whether each member of a quorum that is not in the one before has signed.
    /// @param offset Of the number of signatures.
    function isSignedByNew(uint256 before, uint256 quorum, bytes32 digest, uint256 offset)
        private
        pure
        returns (bool)
    {
        uint256 signatures = number(offset, 1);
        uint256 inBefore = 0;
        offset += 1;
        for (uint256 i = 0; i < byteAt(quorum + 2); i++) {
            address one = member(quorum, i);
            bool signed = false;
            while (signatures > 0 && number(offset, 1) <= i) {
                signed = number(offset, 1) == i && signerOf(digest, offset + 1) == one;
                offset += 66;
                signatures--;
            }
            while (inBefore < byteAt(before + 2) && member(before, inBefore) < one) inBefore++;
            bool isNew = inBefore == byteAt(before + 2) || member(before, inBefore) != one;
            if (isNew && !signed) return false;
        }
        return true;
    }

    /// @dev Puts what stands after a change into a contract of data alone.
    function stored(Standing memory it, uint256 number_, uint256 until, bytes memory quorum)
        private
        returns (address made)
    {
        bytes memory former = new bytes(3 + 20 * byteAt(it.newest + 2));
        for (uint256 i = 0; i < former.length; i += 32) {
            // Memory is given out in words, so the last one may be written whole.
            assembly ("memory-safe") {
                mstore(add(add(former, 32), i), mload(add(mload(add(it, 32)), i)))
            }
        }
        bytes memory code =
            bytes.concat(
                bytes1(0), bytes4(uint32(number_)), bytes8(uint64(block.number)), bytes8(uint64(until)), quorum, former
            );
        // Returns the code behind these ten bytes.
        bytes memory creation = bytes.concat(hex"61", bytes2(uint16(code.length)), hex"80600a3d393df3", code);
        assembly ("memory-safe") {
            made := create(0, add(creation, 32), mload(creation))
        }
        assert(made != address(0));
    }

    function standing() private view returns (Standing memory it) {
        if (changed == address(0)) {
            it.newest = startOf(readCode(address(this), PROXY_SIZE)) + 32;
            it.newestCounts = true;
            return it;
        }
        uint256 start = startOf(readCode(changed, 1));
        uint256 numbers;
        assembly ("memory-safe") {
            numbers := mload(start)
        }
        it.number = numbers >> 224;
        it.newestCounts = block.number > uint64(numbers >> 160);
        it.formerCounts = block.number <= uint64(numbers >> 96);
        it.newest = start + 20;
        it.former = it.newest + 3 + 20 * byteAt(it.newest + 2);
    }

    function digestOf(bytes32 message) private view returns (bytes32) {
        bytes32 domain = keccak256(abi.encode(DOMAIN_TYPE, NAME, VERSION, block.chainid, address(this)));
        return keccak256(abi.encodePacked(bytes2(0x1901), domain, message));
    }

    /// @dev Zero if it is no signature; no member has that address.
    function signerOf(bytes32 digest, uint256 offset) private pure returns (address) {
        bytes32 s = word(offset + 32);
        uint8 v = uint8(bytes1(word(offset + 64)));
        return uint256(s) <= MOST_S && (v == 27 || v == 28) ? ecrecover(digest, v, word(offset), s) : address(0);
    }

    function member(uint256 quorum, uint256 place) private pure returns (address found) {
        assembly ("memory-safe") {
            found := shr(96, mload(add(quorum, add(3, mul(20, place)))))
        }
    }

    function setMember(uint256 quorum, uint256 place, address one) private pure {
        assembly ("memory-safe") {
            let at := add(quorum, add(3, mul(20, place)))
            mstore(at, or(shl(96, one), and(mload(at), 0xffffffffffffffffffffffff)))
        }
    }

    /// @dev Of memory.
    function byteAt(uint256 place) private pure returns (uint256 value) {
        assembly ("memory-safe") {
            value := byte(0, mload(place))
        }
    }

    /// @dev Where the first byte stands in memory.
    function startOf(bytes memory value) private pure returns (uint256 start) {
        assembly ("memory-safe") {
            start := add(value, 32)
        }
    }

    /// @dev Of so many bytes of the call.
    function hashOf(uint256 offset, uint256 length) private pure returns (bytes32 hash) {
        assembly ("memory-safe") {
            let free := mload(0x40)
            calldatacopy(free, offset, length)
            hash := keccak256(free, length)
        }
    }

    /// @dev The code of an account from there on.
    function readCode(address account, uint256 from) private view returns (bytes memory code) {
        assembly ("memory-safe") {
            let size := sub(extcodesize(account), from)
            code := mload(0x40)
            mstore(code, size)
            extcodecopy(account, add(code, 32), from, size)
            mstore(0x40, and(add(add(code, size), 63), not(31)))
        }
    }

    /// @dev A number of so many bytes, at most 32.
    function number(uint256 offset, uint256 length) private pure returns (uint256 value) {
        assembly ("memory-safe") {
            value := shr(sub(256, shl(3, length)), calldataload(offset))
        }
    }

    function get(bytes32[] memory list, uint256 i) private pure returns (bytes32 value) {
        assembly ("memory-safe") {
            value := mload(add(add(list, 32), shl(5, i)))
        }
    }

    function get(uint256[] memory list, uint256 i) private pure returns (uint256 value) {
        assembly ("memory-safe") {
            value := mload(add(add(list, 32), shl(5, i)))
        }
    }

    function put(bytes32[] memory list, uint256 i, bytes32 value) private pure {
        assembly ("memory-safe") {
            mstore(add(add(list, 32), shl(5, i)), value)
        }
    }

    function put(uint256[] memory list, uint256 i, uint256 value) private pure {
        assembly ("memory-safe") {
            mstore(add(add(list, 32), shl(5, i)), value)
        }
    }

    function word(uint256 offset) private pure returns (bytes32 value) {
        assembly ("memory-safe") {
            value := calldataload(offset)
        }
    }

    function load(bytes32 slot) private view returns (uint256 value) {
        assembly ("memory-safe") {
            value := sload(slot)
        }
    }
}
