// SPDX-License-Identifier: MIT
pragma solidity >=0.8.30;

interface Token {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

/// A stand-in with the interface of Tempo's channel precompile (TIP-1034), which anvil lacks: not its code. Two things
/// differ. A contract does not see the hash of its transaction, so that the chain's RPC notes it before an `open`; and
/// it moves tokens by allowance. Compiled into session-escrow.json as the test dollar is.
contract SessionEscrow {
    struct Descriptor {
        address payer;
        address payee;
        address operator;
        address token;
        bytes32 salt;
        address authorizedSigner;
        bytes32 expiringNonceHash;
    }
    struct State {
        uint96 settled;
        uint96 deposit;
        uint32 closeRequestedAt;
    }
    struct Channel {
        Descriptor descriptor;
        State state;
    }

    uint64 public constant CLOSE_GRACE_PERIOD = 900;
    bytes32 public constant VOUCHER_TYPEHASH = keccak256("Voucher(bytes32 channelId,uint96 cumulativeAmount)");
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

    /// By salt; written by the chain's RPC, in slot 0.
    mapping(bytes32 => bytes32) public expiringNonceHash;
    mapping(bytes32 => State) private states;

    event ChannelOpened(bytes32 indexed channelId, address indexed payer, address indexed payee, address operator, address token, address authorizedSigner, bytes32 salt, bytes32 expiringNonceHash, uint96 deposit);
    event Settled(bytes32 indexed channelId, address indexed payer, address indexed payee, uint96 cumulativeAmount, uint96 deltaPaid, uint96 newSettled);
    event TopUp(bytes32 indexed channelId, address indexed payer, address indexed payee, uint96 additionalDeposit, uint96 newDeposit);
    event CloseRequested(bytes32 indexed channelId, address indexed payer, address indexed payee, uint256 closeGraceEnd);
    event ChannelClosed(bytes32 indexed channelId, address indexed payer, address indexed payee, uint96 settledToPayee, uint96 refundedToPayer);

    function domainSeparator() public view returns (bytes32) {
        return keccak256(abi.encode(DOMAIN_TYPEHASH, keccak256("TIP20 Channel Reserve"), keccak256("1"), block.chainid, address(this)));
    }

    function getVoucherDigest(bytes32 channelId, uint96 cumulativeAmount) public view returns (bytes32) {
        return keccak256(abi.encodePacked("\x19\x01", domainSeparator(), keccak256(abi.encode(VOUCHER_TYPEHASH, channelId, cumulativeAmount))));
    }

    function idOf(Descriptor memory d) private view returns (bytes32) {
        return keccak256(abi.encode(d.payer, d.payee, d.operator, d.token, d.salt, d.authorizedSigner, d.expiringNonceHash, address(this), block.chainid));
    }

    function getChannelState(bytes32 channelId) external view returns (State memory) {
        return states[channelId];
    }

    function getChannel(Descriptor calldata d) external view returns (Channel memory) {
        return Channel(d, states[idOf(d)]);
    }

    function open(address payee, address operator, address token, uint96 deposit, bytes32 salt, address authorizedSigner) external returns (bytes32 id) {
        Descriptor memory d = Descriptor(msg.sender, payee, operator, token, salt, authorizedSigner, expiringNonceHash[salt]);
        id = idOf(d);
        require(deposit > 0 && states[id].deposit == 0, "invalid open");
        states[id].deposit = deposit;
        require(Token(token).transferFrom(msg.sender, address(this), deposit), "no transfer");
        emit ChannelOpened(id, msg.sender, payee, operator, token, authorizedSigner, salt, d.expiringNonceHash, deposit);
    }

    function topUp(Descriptor calldata d, uint96 additionalDeposit) external {
        bytes32 id = idOf(d);
        require(msg.sender == d.payer && states[id].deposit > 0, "invalid top-up");
        states[id].deposit += additionalDeposit;
        states[id].closeRequestedAt = 0;
        require(Token(d.token).transferFrom(msg.sender, address(this), additionalDeposit), "no transfer");
        emit TopUp(id, d.payer, d.payee, additionalDeposit, states[id].deposit);
    }

    function requireVoucher(Descriptor calldata d, bytes32 id, uint96 cumulativeAmount, bytes calldata signature) private view {
        require(msg.sender == d.payee || (d.operator != address(0) && msg.sender == d.operator), "not the payee");
        require(signature.length == 65, "invalid signature");
        address signer = ecrecover(getVoucherDigest(id, cumulativeAmount), uint8(signature[64]), bytes32(signature[0:32]), bytes32(signature[32:64]));
        require(signer != address(0) && signer == (d.authorizedSigner == address(0) ? d.payer : d.authorizedSigner), "invalid signature");
    }

    function settle(Descriptor calldata d, uint96 cumulativeAmount, bytes calldata signature) external {
        bytes32 id = idOf(d);
        State storage state = states[id];
        requireVoucher(d, id, cumulativeAmount, signature);
        require(cumulativeAmount > state.settled && cumulativeAmount <= state.deposit, "invalid amount");
        uint96 delta = cumulativeAmount - state.settled;
        state.settled = cumulativeAmount;
        require(Token(d.token).transfer(d.payee, delta), "no transfer");
        emit Settled(id, d.payer, d.payee, cumulativeAmount, delta, cumulativeAmount);
    }

    function close(Descriptor calldata d, uint96 cumulativeAmount, uint96 captureAmount, bytes calldata signature) external {
        bytes32 id = idOf(d);
        State memory state = states[id];
        require(state.deposit > 0, "no such channel");
        requireVoucher(d, id, cumulativeAmount, signature);
        require(captureAmount >= state.settled && captureAmount <= cumulativeAmount && captureAmount <= state.deposit, "invalid amount");
        finish(d, id, state, captureAmount);
    }

    function requestClose(Descriptor calldata d) external {
        bytes32 id = idOf(d);
        require(msg.sender == d.payer && states[id].deposit > 0, "not the payer");
        states[id].closeRequestedAt = uint32(block.timestamp);
        emit CloseRequested(id, d.payer, d.payee, block.timestamp + CLOSE_GRACE_PERIOD);
    }

    function withdraw(Descriptor calldata d) external {
        bytes32 id = idOf(d);
        State memory state = states[id];
        require(msg.sender == d.payer && state.closeRequestedAt > 0, "not requested");
        require(block.timestamp >= state.closeRequestedAt + CLOSE_GRACE_PERIOD, "too early");
        finish(d, id, state, state.settled);
    }

    function finish(Descriptor calldata d, bytes32 id, State memory state, uint96 capture) private {
        states[id] = State(capture, 0, 0);
        if (capture > state.settled) require(Token(d.token).transfer(d.payee, capture - state.settled), "no transfer");
        if (state.deposit > capture) require(Token(d.token).transfer(d.payer, state.deposit - capture), "no transfer");
        emit ChannelClosed(id, d.payer, d.payee, capture, state.deposit - capture);
    }
}
